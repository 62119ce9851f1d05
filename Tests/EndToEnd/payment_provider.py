"""`trackme payment-provider` as a process of its own, and a server whose fees go through it."""

from __future__ import annotations

import hashlib
import hmac
import json
import subprocess
import time
import urllib.error
import urllib.request

from server_process import ServerProcess, free_port, binary, wait_until

KEY, SECRET = "key_of_the_shop", "whsec_of_the_tests_0123456789"


class PaymentProvider:
    """Takes no money. It is told where the server listens for its news before the server exists."""

    def __init__(self, folder, *arguments: str):
        self.port, self.webhook_port = free_port(), free_port()
        self.url, self.webhook = f"http://127.0.0.1:{self.port}", f"http://127.0.0.1:{self.webhook_port}/v1/payment-events"
        (folder / "key").write_text(KEY + "\n")
        (folder / "secret").write_text(SECRET + "\n")
        self.environment = {
            "TRACKME_PAYMENT_URL": self.url, "TRACKME_PAYMENT_KEY_FILE": str(folder / "key"),
            "TRACKME_PAYMENT_WEBHOOK_SECRET_FILE": str(folder / "secret"),
            "TRACKME_WEBHOOK_LISTEN": f"127.0.0.1:{self.webhook_port}",
        }  # fmt: skip
        self.process = subprocess.Popen(
            [binary(), "payment-provider", "--listen", f"127.0.0.1:{self.port}", "--key-file", folder / "key",
             "--secret-file", folder / "secret", "--webhook", self.webhook, *arguments],
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        wait_until(self._answers, what="the payment provider")

    def _answers(self) -> bool:
        assert self.process.poll() is None, "the payment provider has ended"
        try:
            return self.payments() == []
        except OSError:
            return False

    def payments(self) -> list[dict]:
        """Its books."""
        with urllib.request.urlopen(f"{self.url}/payments", timeout=60) as answer:
            return json.load(answer)["payments"]

    def pay(self, url: str, action: str = "authorize") -> int:
        """What somebody does on the page to pay on; the status."""
        return post(url, f"action={action}".encode(), {})

    def charged(self) -> int:
        """What all persons together have been charged now."""
        return sum(payment["charged"] for payment in self.payments())

    def close(self) -> None:
        self.process.terminate()
        assert self.process.wait(10) == 0


def post(url: str, body: bytes, headers: dict[str, str]) -> int:
    """Posts; the status."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers, method="POST"), timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def signed(body: bytes, secret: str = SECRET, at: float | None = None) -> dict[str, str]:
    """The header that a provider signs a webhook with."""
    seconds = int(time.time() if at is None else at)
    tag = hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    return {"TrackMe-Signature": f"t={seconds},v1={tag}", "Content-Type": "application/json"}


def news(provider: PaymentProvider, payment: dict, status: str, event: str = "evt_test", **changes) -> bytes:
    """An event of a provider."""
    told = {key: payment[key] for key in ("id", "reference", "amount", "currency")} | {"status": status} | changes
    return json.dumps({"id": event, "type": f"payment.{status}", "created": int(time.time()), "payment": told}).encode()


class PayingServer:
    """A server and the provider that its fees and prices go through."""

    def __init__(self, folder, *arguments: str, prices: dict[str, str] | None = None, has_web: bool = False):
        self.provider = PaymentProvider(folder, *arguments)
        self.server = ServerProcess(self.provider.environment | (prices or {}), has_web=has_web).start()

    def close(self) -> None:
        self.server.remove()
        self.provider.close()
