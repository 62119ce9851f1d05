"""Registering in a browser (A-R2, A-R3, B-UC.1, B-UC.2)."""

from __future__ import annotations

from contextlib import contextmanager

from playwright.sync_api import expect

from trackme.protocol import identity

from accounts import Credentials, Member
from fiscal_codes import random_identity

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


class RegistrationPage:
    """The page and its fields, found by what they are called."""

    def __init__(self, window):
        self.window, self.page = window, window.page
        self.words, self.shared = window.words("pages/register"), window.words("registration")

    def field(self, key, words=None):
        words = words or (self.words if key in self.words.table else self.shared)
        return self.page.get_by_label(words(key), exact=True)

    def choice(self, group, key):
        return self.page.get_by_role("group", name=self.words(group)).get_by_label(key, exact=True)

    @property
    def submit(self):
        return self.page.get_by_role("button", name=self.words("submit"))

    def fill(self, credentials: Credentials, who):
        for key, text in texts_of(credentials, who).items():
            self.field(key).fill(text)
        self.field("dateOfBirth").fill(who.born.isoformat())
        self.choice("sex", self.words("female" if who.is_female else "male")).check()


def texts_of(credentials: Credentials, who) -> dict[str, str]:
    return {
        "username": credentials.username, "email": credentials.email, "password": credentials.password,
        "passwordAgain": credentials.password, "givenNames": who.given_names, "familyName": who.family_name,
        "fiscalCode": who.fiscal_code.lower(), "weight": "70.5", "height": "172",
    }  # fmt: skip


def member(accounts, credentials: Credentials) -> Member:
    return accounts.keep(Member(accounts.server.target, credentials)).log_in()


def test_b_uc_1_a_person_registers_by_keyboard_alone_and_is_signed_in(window, accounts):
    registration, page = RegistrationPage(window), window.page
    words = registration.words
    who, credentials = random_identity(accounts.rng), accounts.credentials("person")
    window.open("/sign-in")
    window.press(page.get_by_role("link", name=window.words("pages/sign-in")("register")))
    window.heading(words("title"))
    window.look("empty")
    for key, text in list(texts_of(credentials, who).items())[:7]:
        window.type_into(registration.field(key), text)
    born = who.born
    window.type_day(registration.field("dateOfBirth"), born)
    window.press(registration.choice("sex", words("female")), "Space")
    if not who.is_female:
        page.keyboard.press("ArrowDown")
    window.type_into(registration.field("weight"), "70.5")
    window.type_into(registration.field("height"), "172")
    status = registration.shared("optional", label=registration.shared("socialStatus"))
    window.type_into(page.get_by_label(status, exact=True), "Pensionata")
    window.tab_to(registration.choice("sos", words("sosByAge")))
    page.keyboard.press("ArrowDown")
    expect(registration.choice("sos", words("sosOn"))).to_be_checked()
    metrics = window.words("metrics")
    window.press(registration.choice("sharing", metrics("heart_rate")), "Space")
    window.look("filled in")
    page.keyboard.press("Enter")
    window.heading(window.words("pages/home")("title"))
    expect(page.get_by_text(window.words("shell")("signedInAs", username=credentials.username))).to_be_visible()
    window.hears(words("welcome"))

    person = member(accounts, credentials)
    account = person.ask("GetAccount").account
    assert account.person.fiscal_code == who.fiscal_code and account.person.date_of_birth == born.isoformat()
    assert account.person.weight_kg == 70.5 and account.person.sex == (1 if who.is_female else 2)
    assert [(field.name, field.value) for field in account.fields] == [("social_status", "Pensionata")]
    assert person.ask("GetSosSettings").settings.enabled
    assert [shared.metric for shared in person.ask("GetAnonymousSharing").sharing.metrics] == ["heart_rate"]


def test_b_uc_2_a_third_party_registers_by_keyboard_alone_with_its_code(window, accounts):
    registration, page = RegistrationPage(window), window.page
    words = registration.words
    credentials, code = accounts.credentials("doctor"), accounts.code(HOSTILE)
    window.open("/register")
    window.press(page.get_by_role("link", name=words("asThirdParty")))
    expect(registration.field("code")).to_be_visible()
    assert page.url.endswith("/register?kind=third-party")
    window.look("empty")
    texts = {"username": credentials.username, "email": credentials.email, "password": credentials.password,
             "passwordAgain": credentials.password, "code": code, "description": "Cardiology"}  # fmt: skip
    for key, text in texts.items():
        window.type_into(registration.field(key), text)
    window.press(registration.submit)
    window.heading(window.words("pages/home")("title"))
    expect(page.get_by_text(window.words("shell")("signedInAs", username=credentials.username))).to_be_visible()
    assert member(accounts, credentials).ask("GetAccount").account.third_party.name == HOSTILE

    # The code works once, and nobody is registered by it again.
    other = accounts.credentials("doctor")
    page.get_by_role("button", name=window.words("shell")("signOut")).click()
    window.open("/register?kind=third-party")
    for key, text in (texts | {"username": other.username, "email": other.email}).items():
        registration.field(key).fill(text)
    window.allow("409 .*RegisterThirdParty")
    registration.submit.click()
    expect(registration.field("code")).to_be_focused()
    expect(registration.field("code")).to_have_accessible_description(f"{words('codeHint')} {words('codeUsed')}")
    window.look("with a code that was used")


def test_what_is_wrong_with_a_registration_stands_at_its_field(window, accounts):
    registration, page = RegistrationPage(window), window.page
    words, required = registration.words, window.words("parts")("required")
    known, who, credentials = accounts.person(), random_identity(accounts.rng), accounts.credentials("person")
    window.open("/register?next=%2Fstatus")
    registration.submit.click()
    username = registration.field("username")
    expect(username).to_be_focused()
    expect(username).to_have_accessible_description(f"{words('usernameHint')} {required}")
    window.look("with everything missing")

    registration.fill(credentials, who)
    registration.field("passwordAgain").fill("another one entirely")
    registration.submit.click()
    again = registration.field("passwordAgain")
    expect(again).to_be_focused()
    expect(again).to_have_accessible_description(registration.shared("passwordsDiffer"))
    again.fill(credentials.password)

    # What the server alone knows.
    registration.field("fiscalCode").fill(random_identity(accounts.rng).fiscal_code)
    window.allow("400 .*RegisterPerson")
    registration.submit.click()
    code = registration.field("fiscalCode")
    expect(code).to_be_focused()
    expect(code).to_have_accessible_description(f"{words('fiscalCodeHint')} {words('fiscalCodeRefused')}")
    window.look("with the fiscal code of somebody else")
    code.fill(who.fiscal_code)
    username.fill(known.credentials.username)
    window.allow("409 .*RegisterPerson")
    registration.submit.click()
    expect(username).to_have_accessible_description(f"{words('usernameHint')} {words('usernameTaken')}")
    username.fill(credentials.username)
    registration.submit.click()
    window.heading(window.words("pages/status")("title"))


@contextmanager
def form_of_persons(accounts, fields):
    """Persons fill in these fields while it lasts, and those of before after it."""
    kind = identity.ACCOUNT_KIND_PERSON

    def replace(fields) -> list:
        form = accounts.administrator.ask("GetRegistrationForm", kind=kind)
        accounts.administrator.ask("UpdateRegistrationForm", kind=kind, etag=form.etag, fields=fields)
        return list(form.fields)

    before = replace(fields)
    try:
        yield replace
    finally:
        replace(before)


def test_the_fields_of_administrators_come_in_their_order_and_with_their_rules(window, accounts):
    """A-admin: what the form says now is what the page asks; labels that somebody has typed are text."""
    registration, page = RegistrationPage(window), window.page
    words, shared, parts = registration.words, registration.shared, window.words("parts")
    who, credentials = random_identity(accounts.rng), accounts.credentials("person")
    fields = [
        identity.FormField(name="shifts", label="Shifts", type=identity.FIELD_TYPE_NUMBER, required=True, maximum=5),
        identity.FormField(name="club", label=HOSTILE, type=identity.FIELD_TYPE_TEXT, maximum=20),
        identity.FormField(name="team", label="Team", type=identity.FIELD_TYPE_CHOICE, required=True, choices=["A", "B"]),
        identity.FormField(name="main", label="Has a doctor", type=identity.FIELD_TYPE_BOOLEAN),
        identity.FormField(name="since", label="Since", type=identity.FIELD_TYPE_DATE),
    ]
    with form_of_persons(accounts, fields) as replace:
        window.open("/register")
        labels = page.locator("form label").all_inner_texts()
        first = labels.index("Shifts")
        assert labels[first : first + 5] == [
            "Shifts", shared("optional", label=HOSTILE), "Team", shared("optional", label="Has a doctor"),
            shared("optional", label="Since"),
        ]  # fmt: skip
        registration.fill(credentials, who)
        shifts = page.get_by_label("Shifts", exact=True)
        shifts.fill("7")
        registration.submit.click()
        expect(shifts).to_be_focused()
        expect(shifts).to_have_accessible_description(parts("tooLarge", most="5"))
        expect(page.get_by_label("Team", exact=True)).to_have_accessible_description(parts("required"))
        window.look("with a number that is too large")
        shifts.fill("2.5")
        page.get_by_label("Team", exact=True).select_option("B")
        page.get_by_label(shared("optional", label="Has a doctor"), exact=True).select_option(shared("no"))
        page.get_by_label(shared("optional", label=HOSTILE), exact=True).fill(HOSTILE[:20])

        # An administrator asks for something else while somebody fills in what there was.
        replace([*fields, identity.FormField(name="shoe", label="Shoe", type=identity.FIELD_TYPE_TEXT, required=True)])
        window.allow("400 .*RegisterPerson")
        registration.submit.click()
        expect(page.get_by_role("alert")).to_have_text(words("formChanged"))
        replace(fields)
        registration.submit.click()
        window.heading(window.words("pages/home")("title"))
    found = member(accounts, credentials).ask("GetAccount").account
    assert {field.name: field.value for field in found.fields} == {
        "shifts": "2.5", "club": HOSTILE[:20], "team": "B", "main": "false"}  # fmt: skip
