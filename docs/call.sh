# Two shell functions for the pages of this folder. Load them in the project's folder:  . docs/call.sh
SERVER=${SERVER:-http://127.0.0.1:50051}

# call TOKEN METHOD [JSON] makes one call; an empty TOKEN for calls that are open to everyone, `-` for JSON from standard
# input. The token goes through a pipe, because other users of the machine can read arguments.
call() {
  { printf '%s\n\n' "${1:+authorization: Bearer $1}"; [ "${3-}" = - ] && cat || printf '%s\n' "${3-{\}}"; } |
    .venv/bin/buf curl --protocol grpc --http2-prior-knowledge -H @- -d @- "$SERVER/$2"
}

# field NAME prints the first value of that name in the JSON that it reads.
field() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" | head -n 1; }
