"""Sign-in at an OpenID Connect issuer: who has linked an account there needs no password; every token is checked."""

import random
import time

import grpc
import pytest

from trackme.protocol import IdentityServiceStub, identity, notifications

from failures import fails
from openid_issuer import ALGORITHMS, CLIENT, Issuer, Key
from openid_site import SignIn, subjects
from sealed import PAGE, SIGN_IN, key_of, sealed, unsealed
from server_process import ServerProcess, wait_until

INVALID = grpc.StatusCode.UNAUTHENTICATED


@pytest.fixture(scope="module")
def shared():
    issuer = Issuer(algorithms=ALGORITHMS)
    server = ServerProcess({"TRACKME_OIDC_ISSUER": issuer.url, "TRACKME_OIDC_CLIENT_ID": CLIENT}).start()
    sign_in = SignIn(server, issuer)
    yield sign_in
    sign_in.close()
    server.remove()
    issuer.close()


@pytest.fixture(scope="module")
def linked(shared):
    """An account's number and the subject that it is linked with."""
    member, subject = shared.linked()
    return member.account_id, subject


def test_start_says_where_to_sign_in(shared):
    start = shared.stub.StartOpenIDLogIn(identity.StartOpenIDLogInRequest(), timeout=60)
    assert start.authorization_endpoint == f"{shared.issuer.url}/authorize"
    assert start.client_id == CLIENT
    assert len(start.nonce) > 32 and start.nonce != shared.nonce()


def used_nonces(shared) -> int:
    return shared.server.sql("SELECT count(*) FROM openid_used_nonce")[0][0]


def test_whoever_begins_many_sign_ins_takes_nothing_from_others(shared, linked):
    account, subject = linked
    first, before = shared.nonce(), used_nonces(shared)
    for _ in range(200):
        shared.nonce()
    assert used_nonces(shared) == before
    assert shared.log_in(shared.issuer.token(subject, first)).account_id == account
    assert used_nonces(shared) == before + 1


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_linked_account_logs_in(shared, linked, algorithm):
    account, subject = linked
    [key] = [key for key in shared.issuer.keys if key.algorithm == algorithm]
    session = shared.log_in(shared.issuer.token(subject, shared.nonce(), key=key))
    assert session.account_id == account
    metadata = [("authorization", f"Bearer {session.token}")]
    got = shared.stub.GetAccount(identity.GetAccountRequest(), metadata=metadata, timeout=60)
    assert got.account.account_id == account


def test_several_audiences_need_to_name_the_one_it_was_made_for(shared, linked):
    _, subject = linked
    token = shared.issuer.token(subject, shared.nonce(), aud=[CLIENT, "other"], azp=CLIENT)
    assert shared.log_in(token).token


def test_an_account_that_is_not_linked_is_told_so(shared):
    with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
        shared.log_in(shared.issuer.token(next(subjects), shared.nonce()))
    assert failure.reason == "OPENID_NOT_LINKED"


def test_a_nonce_works_once(shared, linked):
    _, subject = linked
    token = shared.issuer.token(subject, shared.nonce())
    shared.log_in(token)
    with fails(INVALID) as failure:
        shared.log_in(token)
    assert failure.reason == "OPENID_TOKEN_INVALID"


def test_of_many_uses_at_once_one_succeeds(shared, linked):
    token = shared.token(linked[1])

    calls = [shared.stub.LogInWithOpenID.future(identity.LogInWithOpenIDRequest(id_token=token)) for _ in range(8)]
    assert sorted(call.code() is grpc.StatusCode.OK for call in calls) == [False] * 7 + [True]
    assert {call.code() for call in calls} == {grpc.StatusCode.OK, INVALID}


def test_a_nonce_ends_after_ten_minutes(shared, linked):
    account, subject = linked
    key = key_of(shared.server)

    def log_in(age_s: int):
        nonce = sealed(key, SIGN_IN, (int(time.time()) - age_s) * 1_000_000, random.getrandbits(62))
        return shared.log_in(shared.issuer.token(subject, nonce))

    assert log_in(age_s=570).account_id == account
    with fails(INVALID) as failure:
        log_in(age_s=601)
    assert failure.reason == "OPENID_TOKEN_INVALID"


def test_a_nonce_that_no_server_has_made_is_none(shared, linked):
    key, now = key_of(shared.server), int(time.time()) * 1_000_000
    for nonce in (
        sealed(bytes(32), SIGN_IN, now, 1), sealed(key, PAGE, now, 1), sealed(key, SIGN_IN, now),
        unsealed("2", now, 1), shared.nonce()[:-1], shared.nonce() + "A",
    ):  # fmt: skip
        with fails(INVALID):
            shared.log_in(shared.issuer.token(linked[1], nonce))


def test_used_nonces_are_forgotten_when_their_time_is_long_over(shared, linked):
    shared.log_in(shared.token(linked[1]))
    shared.server.sql("UPDATE openid_used_nonce SET expires_at = expires_at - interval '2 hours'")
    shared.log_in(shared.token(linked[1]))
    assert used_nonces(shared) == 1


def spliced(token, other):
    """A token with the claims of another one."""
    header, _, signature = token.split(".")
    return ".".join([header, other.split(".")[1], signature])


def wrong_claims(now: int) -> dict[str, dict]:
    return {
        "wrong audience": {"aud": "other"},
        "no audience": {"aud": []},
        "several audiences, none named": {"aud": [CLIENT, "other"]},
        "several audiences, another named": {"aud": [CLIENT, "other"], "azp": "other"},
        "another authorized party": {"azp": "other"},
        "wrong issuer": {"iss": "https://issuer.example"},
        "expired": {"exp": now - 120},
        "no end": {"exp": None},
        "from the future": {"iat": now + 600},
        "from last week": {"iat": now - 7 * 86_400},
        "no time": {"iat": None},
        "not yet": {"nbf": now + 600},
        "no subject": {"sub": ""},
        "subject with NUL": {"sub": "a\0b"},
        "times as texts": {"exp": "tomorrow"},
    }


def wrong_tokens():
    """Ways to make one when its test has its turn, which may be long after this list was made."""
    for name in wrong_claims(now=0):
        yield pytest.param(lambda i, s, n, name=name: i.token(s, n, **wrong_claims(int(time.time()))[name]), id=name)
    others = {
        "wrong nonce": lambda i, s, n: i.token(s, "x"),
        "no nonce": lambda i, s, n: i.token(s, None),
        "alg none": lambda i, s, n: i.unsigned_token(s, n),
        "alg None": lambda i, s, n: i.unsigned_token(s, n, "None"),
        "no signature": lambda i, s, n: i.token(s, n).rpartition(".")[0] + ".",
        "HS256 with the public key": lambda i, s, n: i.shared_secret_token(s, n, i.keys[0].public_pem()),
        "another's key under our key's name": lambda i, s, n: i.token(s, n, key=Key("first")),
        "a key of another kind": lambda i, s, n: i.token(s, n, header={"kid": "ES256"}),
        "a key that is too small": lambda i, s, n: i.token(s, n, key=i.small_key),
        "claims of another token": lambda i, s, n: spliced(i.token(s, n), i.token("other", n)),
        "another algorithm": lambda i, s, n: i.token(s, n, header={"alg": "RS512"}),
        "an extension that must be understood": lambda i, s, n: i.token(s, n, header={"crit": ["exp"]}),
        "one character more": lambda i, s, n: i.token(s, n) + "A",
        "no token": lambda i, s, n: "hello",
        "dots": lambda i, s, n: "..",
        "not base64": lambda i, s, n: "é.é.é",
        "not JSON": lambda i, s, n: "AAAA.AAAA.AAAA",
    }
    for name, make in others.items():
        yield pytest.param(make, id=name)


@pytest.mark.parametrize("make", list(wrong_tokens()))
def test_wrong_tokens_are_not_valid_and_nobody_is_told_why(shared, linked, make):
    _, subject = linked
    with fails(INVALID) as failure:
        shared.log_in(make(shared.issuer, subject, shared.nonce()))
    assert failure.reason == "OPENID_TOKEN_INVALID"
    assert failure.message == "the ID token is not valid here and now"


@pytest.mark.parametrize("token", ["", "x" * 20_000], ids=["empty", "too long"])
def test_what_can_be_no_token_is_a_violation(shared, token):
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "id_token"):
        shared.log_in(token)


def test_a_subject_is_linked_with_one_account_and_an_account_with_one_subject(shared):
    member, subject = shared.linked()
    shared.link(member, subject)
    with fails(grpc.StatusCode.ALREADY_EXISTS) as failure:
        shared.link(shared.accounts.person(), subject)
    assert failure.reason == "OPENID_ALREADY_LINKED"
    with fails(grpc.StatusCode.ALREADY_EXISTS):
        shared.link(member, next(subjects))
    assert shared.log_in(shared.token(subject)).account_id == member.account_id


def test_a_session_alone_links_nothing(shared):
    """Whoever has found an open session must not get a way in that outlives it."""
    member, subject = shared.accounts.person(), next(subjects)
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "password"):
        shared.link(member, subject, password="")
    with fails(grpc.StatusCode.PERMISSION_DENIED) as failure:
        shared.link(member, subject, password="not the password")
    assert failure.reason == "WRONG_PASSWORD"
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        shared.accounts.anonymous().ask("LinkOpenID", id_token=shared.token(subject), password="x")
    not_linked(shared, subject)


def not_linked(shared, subject):
    with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
        shared.log_in(shared.token(subject))
    assert failure.reason == "OPENID_NOT_LINKED"


def told(shared, member) -> list[str]:
    """The subjects of what the account was told of its sign-ins, oldest first; each came by mail too."""
    kind = notifications.NOTIFICATION_KIND_SIGN_IN_CHANGED
    found = [n.subject for n in member.ask("ListNotifications").notifications if n.kind == kind][::-1]
    mails = "SELECT count(*) FROM email_queue WHERE kind = 30 AND address = %s"
    assert shared.server.sql(mails, (member.credentials.email,)) == [(len(found),)]
    return found


def test_the_account_is_told_of_a_link_and_can_end_it(shared):
    member, subject = shared.linked()
    shared.link(member, subject)
    assert told(shared, member) == ["A sign-in was linked with your account"]
    member.ask("UnlinkOpenID")
    not_linked(shared, subject)
    member.ask("UnlinkOpenID")
    assert told(shared, member)[1:] == ["A sign-in is linked with your account no more"]
    shared.link(member, subject)
    assert shared.log_in(shared.token(subject)).account_id == member.account_id


def test_another_password_ends_a_link(shared):
    member, subject = shared.linked()
    new = "a quite different password"
    member.ask("ChangePassword", old_password=member.credentials.password, new_password=new)
    not_linked(shared, subject)
    shared.link(member, subject, password=new)
    assert shared.log_in(shared.token(subject)).account_id == member.account_id


def test_an_account_that_has_ended_does_not_log_in(shared):
    member, subject = shared.linked()
    shared.server.sql("UPDATE account SET state = 'deactivated' WHERE id = %s", (member.account_id,))
    not_linked(shared, subject)


@pytest.mark.long
def test_new_keys_are_taken_up_and_strangers_cannot_have_them_read_again_and_again(shared, linked):
    account, subject = linked
    shared.issuer.keys.insert(0, Key("second"))
    before = len(shared.issuer.requests)

    def session():
        try:
            return shared.log_in(shared.issuer.token(subject, shared.nonce()))
        except grpc.RpcError as error:
            assert error.code() == INVALID
            return None

    assert wait_until(session, seconds=20, what="the new key").account_id == account
    # The discovery document and the keys, once.
    assert len(shared.issuer.requests) - before == 2
    for _ in range(20):
        with fails(INVALID):
            shared.log_in(shared.issuer.token(subject, "x", key=Key("unknown")))
    assert len(shared.issuer.requests) - before == 2


def test_without_an_issuer_there_is_no_sign_in(server):
    with server.open_channel() as channel:
        stub = IdentityServiceStub(channel)
        for call in (
            lambda: stub.StartOpenIDLogIn(identity.StartOpenIDLogInRequest(), timeout=60),
            lambda: stub.LogInWithOpenID(identity.LogInWithOpenIDRequest(id_token="a.b.c"), timeout=60),
        ):
            with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
                call()
            assert failure.reason == "OPENID_NOT_CONFIGURED"


@pytest.mark.parametrize(
    "says",
    [
        {"issuer": "http://127.0.0.1:1"},
        {"jwks_uri": "http://issuer.example/keys"},
        {"jwks_uri": "file:///etc/passwd"},
        {"authorization_endpoint": "http://issuer.example/authorize"},
        None,
    ],
    ids=["another name", "keys in the clear", "keys in a file", "sign-in in the clear", "down"],
)
def test_an_issuer_that_is_down_or_not_to_be_trusted_is_unavailable_until_it_is_back(says):
    issuer = Issuer()
    if says is None:
        issuer.close()
    else:
        issuer.says = says
    server = ServerProcess({"TRACKME_OIDC_ISSUER": issuer.url, "TRACKME_OIDC_CLIENT_ID": CLIENT}).start()
    sign_in = SignIn(server, issuer)
    try:
        with fails(grpc.StatusCode.UNAVAILABLE) as failure:
            sign_in.nonce()
        assert failure.reason == "OPENID_ISSUER_UNAVAILABLE"
        with fails(grpc.StatusCode.UNAVAILABLE):
            sign_in.log_in(issuer.token("s", "n"))
        issuer.says = {}
        if says is None:
            issuer = sign_in.issuer = Issuer(issuer.port)

        def nonce():
            try:
                return sign_in.nonce()
            except grpc.RpcError:
                return None

        assert wait_until(nonce, what="the issuer")
    finally:
        sign_in.close()
        server.remove()
        issuer.close()
