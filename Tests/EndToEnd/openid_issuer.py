"""A small OpenID Connect issuer on loopback HTTP, with keys of its own. It signs whatever it is asked to."""

import base64
import hashlib
import hmac
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

CLIENT = "trackme-tests"


def encode(data) -> str:
    if isinstance(data, dict):
        data = json.dumps(data).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value: int, size: int | None = None) -> str:
    return encode(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


class Key:
    """A key pair that signs RS256 or ES256."""

    def __init__(self, kid, algorithm="RS256"):
        self.kid, self.algorithm = kid, algorithm
        if algorithm == "RS256":
            self.private = rsa.generate_private_key(65537, 2048)
        else:
            self.private = ec.generate_private_key(ec.SECP256R1())

    def jwk(self) -> dict:
        public = self.private.public_key().public_numbers()
        common = {"kid": self.kid, "use": "sig", "alg": self.algorithm}
        if self.algorithm == "RS256":
            return common | {"kty": "RSA", "n": number(public.n), "e": number(public.e)}
        return common | {"kty": "EC", "crv": "P-256", "x": number(public.x, 32), "y": number(public.y, 32)}

    def sign(self, data: bytes) -> bytes:
        if self.algorithm == "RS256":
            return self.private.sign(data, padding.PKCS1v15(), hashes.SHA256())
        r, s = decode_dss_signature(self.private.sign(data, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    def public_pem(self) -> bytes:
        return self.private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )


class Issuer:
    def __init__(self, port=0):
        self.keys = [Key("first"), Key("curve", "ES256")]
        self.requests = []
        self.says = {}
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                issuer.requests.append(self.path)
                documents = {"/.well-known/openid-configuration": issuer.discovery, "/keys": issuer.key_set}
                body = json.dumps(documents[self.path]()).encode()
                self.send_response(200)
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
            "jwks_uri": f"{self.url}/keys",
        } | self.says

    def key_set(self):
        """With keys that nobody here can use: they must not spoil the others."""
        unknown = [{"kty": "XYZ", "kid": "first"}, {"kty": "oct", "k": "AAAA"}, {"kty": "RSA", "use": "enc", "kid": "e"}]
        return {"keys": unknown + [key.jwk() for key in self.keys]}

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
