"""Servers that trust an OpenID Connect issuer, over gRPC and in a browser; and persons whose accounts are linked there."""

import itertools

from trackme.protocol import IdentityServiceStub, identity

from accounts import Accounts
from openid_issuer import CLIENT, Issuer
from server_process import ServerProcess
from web import Browser

RETURN = "/web/session/openid/return"
SECRET = "s3cret:with+a%colon&more"
NAME = "Clinica <b>Uno</b>"
subjects = (f"subject-{number}" for number in itertools.count())
"""Nobody else's."""


class SignIn:
    """A server that trusts an issuer."""

    def __init__(self, server, issuer):
        self.server, self.issuer = server, issuer
        self.accounts = Accounts(server)
        self.channel = server.open_channel()
        self.stub = IdentityServiceStub(self.channel)

    def nonce(self):
        return self.stub.StartOpenIDLogIn(identity.StartOpenIDLogInRequest(), timeout=60).nonce

    def log_in(self, token):
        return self.stub.LogInWithOpenID(identity.LogInWithOpenIDRequest(id_token=token), timeout=60).session

    def token(self, subject):
        """A good ID token for one sign-in."""
        return self.issuer.token(subject, self.nonce())

    def link(self, member, subject, password=None):
        password = member.credentials.password if password is None else password
        member.ask("LinkOpenID", id_token=self.token(subject), password=password)

    def linked(self):
        """Somebody whose account is linked with a subject."""
        member, subject = self.accounts.person(), next(subjects)
        self.link(member, subject)
        return member, subject

    def close(self):
        self.accounts.close()
        self.channel.close()


class Site(SignIn):
    """A server with pages, and the issuer at which people sign in."""

    def __init__(self, folder):
        self.issuer = Issuer(secret=SECRET)
        secret = folder / "secret"
        secret.write_text(f"{SECRET}\n")
        server = ServerProcess(
            {
                "TRACKME_OIDC_ISSUER": self.issuer.url, "TRACKME_OIDC_CLIENT_ID": CLIENT,
                "TRACKME_OIDC_CLIENT_SECRET_FILE": str(secret), "TRACKME_OIDC_NAME": NAME,
            },
            has_web=True,
        )  # fmt: skip
        self.origin = server.environment["TRACKME_WEB_ORIGIN"] = f"http://127.0.0.1:{server.web_port}"
        self.issuer.return_addresses.add(self.origin + RETURN)
        super().__init__(server.start(), self.issuer)

    def browser(self) -> Browser:
        return Browser(self.server.web_port)

    def remove(self):
        self.close()
        self.server.remove()
        self.issuer.close()
