"""Mail leaves the server once, whatever happens to it or to the mail server."""

import email
import email.policy
import os
import socket
import ssl

import pytest
import trustme

from mail_server import MailServer
from server_process import ServerProcess, wait_until


@pytest.fixture
def start():
    """Starts a server that sends its mail to a mail server; without one, into its folder."""
    processes = []

    def start(url=None, **environment):
        if url is not None:
            environment |= {"TRACKME_SMTP_URL": url, "TRACKME_MAIL_FROM": "trackme@service.example"}
            environment.setdefault("TRACKME_SMTP_TLS", "none")
        processes.append(ServerProcess(environment).start())
        return processes[-1]

    yield start
    for process in processes:
        process.remove()


def tell(server, address="anna@example.org", name="Anna"):
    """Queues a mail as a registration does."""
    server.sql(
        "WITH a AS (INSERT INTO account (kind, display_name, email) VALUES ('person', %s, %s) RETURNING id)"
        " SELECT add_notification(id, 1::smallint) FROM a",
        (name, address),
    )


def states(server):
    return [state for (state,) in server.sql("SELECT state FROM email_queue ORDER BY id")]


def hurry(server):
    """Lets mails that wait for their next attempt be due."""
    server.sql("UPDATE email_queue SET next_attempt_at = now() WHERE state = 'queued'")


def test_without_a_mail_server_mails_are_files(start):
    server = start()
    tell(server)
    wait_until(lambda: states(server) == ["sent"], what="the mail")
    folder = server.data_dir / "data" / "mail"
    [(account, message_id)] = server.sql("SELECT account, message_id::text FROM email_queue")
    [name] = os.listdir(folder)
    assert name == f"{account}-{message_id}.eml"
    message = email.message_from_bytes((folder / name).read_bytes(), policy=email.policy.default)
    assert message["To"] == "anna@example.org"
    assert message["Subject"] == "Welcome to TrackMe / Ti diamo il benvenuto su TrackMe"
    assert message["Content-Language"] == "en, it"
    assert message["Message-ID"] == f"<{message_id}@localhost>"
    english, italian = message.get_content().split("— Italiano —")
    assert "Your TrackMe account is ready." in english and "Il tuo account TrackMe è pronto." in italian


def test_a_mail_is_delivered_once(start):
    with MailServer() as mail:
        server = start(mail.url)
        tell(server)
        wait_until(lambda: states(server) == ["sent"], what="the mail")
        server.stop()
        server.start()
        tell(server, "b@example.org")
        wait_until(lambda: states(server) == ["sent", "sent"], what="the second mail")
        assert [message["To"] for message in mail.messages] == ["anna@example.org", "b@example.org"]
        assert mail.messages[0]["From"] == "TrackMe <trackme@service.example>"


def test_a_mail_that_was_refused_for_now_is_tried_again_as_the_same_mail(start):
    with MailServer(["451 later"]) as mail:
        server = start(mail.url)
        tell(server)
        wait_until(lambda: len(mail.messages) == 1 and states(server) == ["queued"], what="the first attempt")
        hurry(server)
        wait_until(lambda: states(server) == ["sent"], what="the second attempt")
        assert len({message["Message-ID"] for message in mail.messages}) == 1
        assert "anna" not in server.log.read_text()


def test_a_mail_server_that_is_away_gets_the_mail_later(start):
    with socket.create_server(("127.0.0.1", 0)) as place:
        port = place.getsockname()[1]
    server = start(f"smtp://127.0.0.1:{port}")
    tell(server)
    wait_until(lambda: server.sql("SELECT 1 FROM email_queue WHERE attempts = 1 AND state = 'queued'"), what="an attempt")
    with MailServer(port=port) as mail:
        hurry(server)
        wait_until(lambda: states(server) == ["sent"], what="the mail")
        assert len(mail.messages) == 1


@pytest.mark.long
def test_a_mail_server_that_dies_after_the_message_does_not_get_it_again(start):
    with MailServer([None]) as mail:
        server = start(mail.url)
        tell(server)
        wait_until(lambda: states(server) == ["uncertain"], what="the attempt")
        server.stop()
        server.start()
        tell(server, "b@example.org")
        wait_until(lambda: states(server) == ["uncertain", "sent"], what="the other mail")
        assert [message["To"] for message in mail.messages] == ["anna@example.org", "b@example.org"]
        assert "may or may not have been delivered" in server.log.read_text()


@pytest.mark.long
def test_a_server_that_is_killed_while_it_sends_does_not_send_again(start):
    with MailServer() as mail:
        mail.hold.clear()
        server = start(mail.url)
        tell(server)
        wait_until(lambda: mail.messages, what="the message")
        server.kill()
        mail.hold.set()
        server.start()
        tell(server, "b@example.org")
        wait_until(lambda: states(server) == ["uncertain", "sent"], what="the other mail")
        assert [message["To"] for message in mail.messages] == ["anna@example.org", "b@example.org"]


def test_mail_goes_through_tls_with_a_log_in_to_a_server_that_proves_its_name(start, tmp_path):
    authority = trustme.CA()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(tls)
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    (tmp_path / "password").write_text("secret word\n")
    log_in = {"TRACKME_SMTP_USERNAME": "me", "TRACKME_SMTP_PASSWORD_FILE": str(tmp_path / "password")}
    with MailServer(tls=tls) as mail:
        server = start(mail.url, TRACKME_SMTP_TLS="required", TRACKME_OUTBOUND_CA=str(tmp_path / "ca.pem"), **log_in)
        tell(server)
        wait_until(lambda: states(server) == ["sent"], what="the mail")
        assert len(mail.messages) == 1
        assert mail.log_ins == [("me", "secret word")]
        server.stop()
        # Without that authority the certificate proves nothing.
        del server.environment["TRACKME_OUTBOUND_CA"]
        server.start()
        tell(server, "b@example.org")
        attempted = "SELECT 1 FROM email_queue WHERE attempts = 1 AND state = 'queued'"
        wait_until(lambda: server.sql(attempted), what="an attempt")
        assert len(mail.messages) == 1 and len(mail.log_ins) == 1
        assert "secret word" not in server.log.read_text()


def test_nothing_is_sent_in_the_clear_unless_it_is_allowed(start):
    with MailServer() as mail:
        server = start(mail.url, TRACKME_SMTP_TLS="required")
        tell(server)
        wait_until(lambda: server.sql("SELECT 1 FROM email_queue WHERE attempts = 1 AND state = 'queued'"), what="an attempt")
        assert not mail.messages
