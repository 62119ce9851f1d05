#!/bin/sh
# Writes src/trackme/_generated from Protos/. The same Protos/ and the grpcio-tools of pyproject.toml give the same
# bytes. PYTHON names the interpreter that has grpcio-tools; with --check nothing is written, and a stale tree fails.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
protos=$here/../../Protos
target=$here/src/trackme/_generated
if [ -z "${PYTHON:-}" ]; then
  PYTHON=$here/../../.venv/bin/python
  [ -x "$PYTHON" ] || PYTHON=python3
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$protos"
files=$(find trackme -name '*.proto' | LC_ALL=C sort)
# shellcheck disable=SC2086
"$PYTHON" -m grpc_tools.protoc -I . --python_out="$work" --pyi_out="$work" --grpc_python_out="$work" $files
cd "$work"
# The protocol's packages are called trackme.…, as this Python package is: the stubs live one level down, and import
# each other from there.
find trackme -name '*.py' -o -name '*.pyi' | while read -r file; do
  sed -e 's/^from trackme\./from trackme._generated./' "$file" > "$file.moved" && mv "$file.moved" "$file"
done
find trackme -type d | while read -r directory; do : > "$directory/__init__.py"; done

if [ "${1:-}" = --check ]; then
  diff -r -x __pycache__ "$work/trackme" "$target" || { echo "clients/python/generate.sh: stubs are stale" >&2; exit 1; }
else
  rm -rf "$target"
  cp -R "$work/trackme" "$target"
fi
