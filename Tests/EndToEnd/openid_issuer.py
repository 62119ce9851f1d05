"""A small OpenID Connect issuer on loopback HTTP, with keys of its own. It signs whatever it is asked to."""

import base64
import hashlib
import hmac
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

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


class Issuer:
    def __init__(self, port=0, algorithms=("RS256",)):
        self.keys = [Key("first"), *(Key(algorithm, algorithm) for algorithm in algorithms[1:])]
        self.small_key = Key("small", rsa_bits=1024)
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
