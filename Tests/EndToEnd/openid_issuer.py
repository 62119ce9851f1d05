"""A small OpenID Connect issuer on loopback HTTP, with keys of its own. Tests have it sign whatever they ask for;
browsers sign in by the authorization code flow with PKCE.

For development, beside a server that has its address as TRACKME_OIDC_ISSUER:

    .venv/bin/python Tests/EndToEnd/openid_issuer.py --port 9090 --subject anna \\
      --return-address http://127.0.0.1:8080/web/session/openid/return
"""

import argparse
import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, quote_plus, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

CLIENT = "trackme-tests"


def encode(data) -> str:
    if isinstance(data, dict):
        data = json.dumps(data).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value: int, size: int | None = None) -> str:
    return encode(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


HASHES = {"256": hashes.SHA256(), "384": hashes.SHA384(), "512": hashes.SHA512()}
# Name, class and length of a coordinate.
CURVES = {
    "ES256": ("P-256", ec.SECP256R1(), 32),
    "ES384": ("P-384", ec.SECP384R1(), 48),
    "ES512": ("P-521", ec.SECP521R1(), 66),
}
ALGORITHMS = [kind + bits for kind in ("RS", "PS", "ES") for bits in HASHES] + ["EdDSA"]


class Key:
    """A key pair that signs with one of ALGORITHMS."""

    def __init__(self, kid, algorithm="RS256", rsa_bits=2048):
        self.kid, self.algorithm = kid, algorithm
        if algorithm == "EdDSA":
            self.private = ed25519.Ed25519PrivateKey.generate()
        elif algorithm in CURVES:
            self.private = ec.generate_private_key(CURVES[algorithm][1])
        else:
            self.private = rsa.generate_private_key(65537, rsa_bits)

    def jwk(self) -> dict:
        public = self.private.public_key()
        common = {"kid": self.kid, "use": "sig", "alg": self.algorithm}
        if self.algorithm == "EdDSA":
            return common | {"kty": "OKP", "crv": "Ed25519", "x": encode(public.public_bytes_raw())}
        numbers = public.public_numbers()
        if self.algorithm in CURVES:
            curve, _, size = CURVES[self.algorithm]
            return common | {"kty": "EC", "crv": curve, "x": number(numbers.x, size), "y": number(numbers.y, size)}
        return common | {"kty": "RSA", "n": number(numbers.n), "e": number(numbers.e)}

    def sign(self, data: bytes) -> bytes:
        if self.algorithm == "EdDSA":
            return self.private.sign(data)
        kind, digest = self.algorithm[:2], HASHES[self.algorithm[2:]]
        if kind == "ES":
            size = CURVES[self.algorithm][2]
            r, s = decode_dss_signature(self.private.sign(data, ec.ECDSA(digest)))
            return r.to_bytes(size, "big") + s.to_bytes(size, "big")
        pss = padding.PSS(padding.MGF1(digest), padding.PSS.DIGEST_LENGTH)
        return self.private.sign(data, padding.PKCS1v15() if kind == "RS" else pss, digest)

    def public_pem(self) -> bytes:
        return self.private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )


@dataclass
class Grant:
    """A code, and what it was given for."""

    subject: str
    nonce: str
    challenge: str
    return_address: str
    is_used: bool = False


class Issuer:
    """Its attributes say how it behaves; they may be set at any time.

    :param secret: with which the client exchanges codes; None: it has none.
    """

    def __init__(self, port=0, algorithms=("RS256",), secret=None):
        self.secret = secret
        # Where browsers may be sent back to, and who is signed in here: nobody means that somebody says no.
        self.return_addresses, self.subject = set(), None
        # Of the tokens that codes are exchanged for; whether a code is taken twice; how exchanges are answered instead.
        self.changes, self.takes_codes_twice, self.token_status = {}, False, None
        self.grants = {}
        self.keys = [Key("first"), *(Key(algorithm, algorithm) for algorithm in algorithms[1:])]
        self.small_key = Key("small", rsa_bits=1024)
        self.requests = []
        self.says = {}
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                issuer.requests.append(self.path)
                url = urlsplit(self.path)
                if url.path == "/authorize":
                    return self.answer(*issuer.authorize(dict(parse_qsl(url.query))))
                documents = {"/.well-known/openid-configuration": issuer.discovery, "/keys": issuer.key_set}
                self.answer(200, documents[self.path]())

            def do_POST(self):
                issuer.requests.append(self.path)
                form = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self.answer(*issuer.exchange(dict(parse_qsl(form)), self.headers["Authorization"]))

            def answer(self, status, document=None, location=None):
                body = json.dumps(document).encode()
                self.send_response(status)
                if location:
                    self.send_header("Location", location)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def discovery(self):
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
        } | self.says

    def authorize(self, asked: dict[str, str]):
        """Sends a browser back with a code (OpenID Connect Core 1.0, 3.1.2); whoever asks wrongly gets an error page."""
        address = asked.get("redirect_uri")
        if asked.get("client_id") != CLIENT or address not in self.return_addresses:
            return 400, {"error": "another client, or another address"}
        wanted = {"response_type": "code", "scope": "openid", "code_challenge_method": "S256"}
        if any(asked.get(name) != value for name, value in wanted.items()) or len(asked.get("code_challenge", "")) != 43:
            return 400, {"error": "no code flow with PKCE"}
        answer = {"state": asked["state"], "iss": self.url}
        if self.subject is None:
            answer["error"] = "access_denied"
        else:
            answer["code"] = secrets.token_urlsafe(16)
            self.grants[answer["code"]] = Grant(self.subject, asked["nonce"], asked["code_challenge"], address)
        return 303, None, f"{address}?{urlencode(answer)}"

    def exchange(self, form: dict[str, str], authorization: str | None):
        """An ID token for a code (3.1.3), to whoever proves who it is and has the code's verifier."""
        if self.token_status is not None:
            return self.token_status, {"error": "server_error"}
        if self.secret is None:
            is_client = authorization is None and form.get("client_id") == CLIENT
        else:
            basic = base64.b64encode(f"{quote_plus(CLIENT)}:{quote_plus(self.secret)}".encode()).decode()
            is_client = authorization == f"Basic {basic}"
        if not is_client:
            return 401, {"error": "invalid_client"}
        grant = self.grants.get(form.get("code"))
        verifier = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if (
            form.get("grant_type") != "authorization_code" or grant is None
            or (grant.is_used and not self.takes_codes_twice)
            or grant.return_address != form.get("redirect_uri") or grant.challenge != encode(verifier)
        ):  # fmt: skip
            return 400, {"error": "invalid_grant"}
        grant.is_used = True
        token = self.token(grant.subject, **({"nonce": grant.nonce} | self.changes))
        return 200, {"access_token": "not-for-us", "token_type": "Bearer", "id_token": token}

    def key_set(self):
        """With keys that nobody here can use: they must not spoil the others."""
        unknown = [{"kty": "XYZ", "kid": "first"}, {"kty": "oct", "k": "AAAA"}, {"kty": "RSA", "use": "enc", "kid": "e"}]
        return {"keys": unknown + [key.jwk() for key in (*self.keys, self.small_key)]}

    def claims(self, subject, nonce, **changes):
        now = int(time.time())
        claims = {"iss": self.url, "sub": subject, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce}
        return {name: value for name, value in (claims | changes).items() if value is not None}

    def token(self, subject, nonce, key=None, header=None, **changes) -> str:
        key = key or self.keys[0]
        head = {"alg": key.algorithm, "kid": key.kid, "typ": "JWT"} | (header or {})
        text = f"{encode(head)}.{encode(self.claims(subject, nonce, **changes))}"
        return f"{text}.{encode(key.sign(text.encode()))}"

    def unsigned_token(self, subject, nonce, algorithm="none") -> str:
        return f"{encode({'alg': algorithm, 'kid': 'first'})}.{encode(self.claims(subject, nonce))}."

    def shared_secret_token(self, subject, nonce, secret: bytes) -> str:
        """HS256 with what everybody knows: the public key."""
        text = f"{encode({'alg': 'HS256', 'kid': 'first'})}.{encode(self.claims(subject, nonce))}"
        return f"{text}.{encode(hmac.new(secret, text.encode(), hashlib.sha256).digest())}"


def main() -> None:
    parser = argparse.ArgumentParser(description="An OpenID Connect issuer for development: whoever comes is signed in.")
    parser.add_argument("--port", type=int, default=9090)
    parser.add_argument("--subject", required=True, help="who everybody is")
    parser.add_argument("--return-address", required=True, help="where browsers are sent back to")
    arguments = parser.parse_args()
    issuer = Issuer(arguments.port)
    issuer.subject = arguments.subject
    issuer.return_addresses.add(arguments.return_address)
    print(f"{issuer.url} signs in {issuer.subject} for the client {CLIENT}", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
