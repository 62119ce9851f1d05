"""A mail server for tests, on a port of its own: a few lines of SMTP over sockets, so that it can misbehave."""

import base64
import contextlib
import email
import email.policy
import socket
import ssl
import threading


class MailServer:
    """Takes mail. `answers` are the replies to the messages in their order; when they are used up, 250. None closes the
    connection without a reply, and `hold` lets it wait before it replies. With a TLS context it offers STARTTLS, and
    after that a log-in, whose user and password it keeps."""

    def __init__(self, answers=(), port=0, tls=None):
        self.tls = tls
        self.log_ins = []
        self.answers = list(answers)
        self.messages = []
        self.hold = threading.Event()
        self.hold.set()
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port = self._listener.getsockname()[1]
        self.url = f"smtp://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.hold.set()
        self._listener.close()

    def _run(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection):
        with connection:
            connection.sendall(b"220 test\r\n")
            if self._serve(connection, offer=b"STARTTLS" if self.tls else None) == "tls":
                # A client that does not trust the certificate leaves.
                with contextlib.suppress(ssl.SSLError), self.tls.wrap_socket(connection, server_side=True) as secure:
                    self._serve(secure, offer=b"AUTH PLAIN")

    def _serve(self, connection, offer):
        with connection.makefile("rb", buffering=0) as lines:
            while line := lines.readline():
                command = line.split(None, 1)[0].upper()
                if command == b"DATA":
                    connection.sendall(b"354 go on\r\n")
                    message = b""
                    while (line := lines.readline()) not in (b".\r\n", b""):
                        message += line[1:] if line.startswith(b".") else line
                    if not line:
                        return
                    self.messages.append(email.message_from_bytes(message, policy=email.policy.default))
                    self.hold.wait()
                    answer = self.answers.pop(0) if self.answers else "250 taken"
                    if answer is None:
                        return
                    connection.sendall(answer.encode() + b"\r\n")
                elif command == b"EHLO" and offer:
                    connection.sendall(b"250-test\r\n250 " + offer + b"\r\n")
                elif command == b"STARTTLS":
                    connection.sendall(b"220 go on\r\n")
                    return "tls"
                elif command == b"AUTH":
                    words = line.split()
                    if len(words) < 3:
                        connection.sendall(b"334 \r\n")
                        words.append(lines.readline().strip())
                    self.log_ins.append(tuple(base64.b64decode(words[2]).decode().split("\0")[1:]))
                    connection.sendall(b"235 welcome\r\n")
                elif command == b"QUIT":
                    connection.sendall(b"221 bye\r\n")
                    return
                else:
                    connection.sendall(b"250 ok\r\n")
