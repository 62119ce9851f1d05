"""Registration from outside, and the first administrator (A-R1, A-R2, A-R3, A-admin)."""

import subprocess
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from trackme.protocol import AdminServiceStub, IdentityServiceStub, admin, identity

from failures import fails
from server_process import binary

PASSWORD = "a fine old password"
ODD = dict(
    zip(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21] * 2 + [2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23],
    )
)


def fiscal_code(place):
    """The code of a Mario Rossi born on 1 January 1980 in that place."""
    text = f"RSSMRA80A01H{place:03}"
    values = [ODD[c] if i % 2 == 0 else int(c, 36) - (10 if c.isalpha() else 0) for i, c in enumerate(text)]
    return text + chr(ord("A") + sum(values) % 26)


def form(number, **changes):
    fields = dict(
        username=f"mario.{number}", email=f"mario.{number}@example.org", password=PASSWORD, given_names="Mario",
        family_name="Rossi", fiscal_code=fiscal_code(number), date_of_birth="1980-01-01", sex=identity.SEX_MALE,
        weight_kg=74, height_cm=178,
    )  # fmt: skip
    return identity.RegisterPersonRequest(**(fields | changes))


@pytest.fixture
def accounts(channel):
    return IdentityServiceStub(channel)


def create_admin(server, name, password=None, line=""):
    environment = {k: v for k, v in server.environment.items() if k != "TRACKME_ADMIN_PASSWORD"}
    if password is not None:
        environment["TRACKME_ADMIN_PASSWORD"] = password
    return subprocess.run(
        [binary(), "admin", "create", "--data-dir", server.data_dir / "data", "--username", name, "--email",
         f"{name}@example.org"],
        input=line, capture_output=True, text=True, env=environment, timeout=60,
    )  # fmt: skip


def log_in(accounts, name):
    session = accounts.LogIn(identity.LogInRequest(name=name, password=PASSWORD), timeout=60).session
    return (("authorization", f"Bearer {session.token}"),)


def test_the_first_administrator_is_made_on_the_command_line_and_issues_a_code(server, channel, accounts):
    assert create_admin(server, "boss", PASSWORD).returncode == 0
    assert create_admin(server, "deputy", line=PASSWORD + "\nmore\n").returncode == 0
    taken = create_admin(server, "BOSS", PASSWORD)
    assert taken.returncode != 0 and "taken" in taken.stderr and PASSWORD not in taken.stderr
    weak = create_admin(server, "third", "short")
    assert weak.returncode != 0 and "password" in weak.stderr
    assert create_admin(server, "fourth").returncode != 0

    caller = log_in(accounts, "boss")
    issued = AdminServiceStub(channel).IssueThirdPartyCode(
        admin.IssueThirdPartyCodeRequest(company="Clinic", kind=identity.HOLDER_KIND_HEALTH_CARE), metadata=caller, timeout=20
    )
    request = identity.RegisterThirdPartyRequest(
        username="clinic", email="clinic@example.org", password=PASSWORD, name="Clinic", description="Hearts.",
        code=issued.code,
    )  # fmt: skip
    assert accounts.RegisterThirdParty(request, timeout=60).account.third_party.name == "Clinic"
    request.username, request.email = "clinic2", "clinic2@example.org"
    with fails(grpc.StatusCode.ALREADY_EXISTS, "code") as failure:
        accounts.RegisterThirdParty(request, timeout=60)
    assert failure.reason == "CODE_USED"


def test_of_a_hundred_registrations_at_once_one_wins(accounts):
    def register(number):
        try:
            accounts.RegisterPerson(form(100 + number, username="only.one"), timeout=60)
            return None
        except grpc.RpcError as error:
            return error.code()

    with ThreadPoolExecutor(100) as pool:
        ends = list(pool.map(register, range(100)))
    assert sorted(ends, key=str).count(None) == 1
    assert ends.count(grpc.StatusCode.ALREADY_EXISTS) == 99


SQL = "'; DROP TABLE account; --"


@pytest.mark.parametrize(
    ("field", "text"),
    [
        (field, text)
        for field in ("username", "email", "password", "given_names", "fiscal_code", "date_of_birth")
        for text in ("", "a\0b", "\x1b[2J", SQL, "x" * 100_000)
        # As a password it is a fine one.
        if (field, text) != ("password", SQL)
    ],
)
def test_hostile_text_is_refused_with_its_field(accounts, field, text):
    with fails(grpc.StatusCode.INVALID_ARGUMENT, field):
        accounts.RegisterPerson(form(900, **{field: text}), timeout=60)
