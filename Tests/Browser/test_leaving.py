"""Leaving for good, and the receipt of it (C-23)."""

from __future__ import annotations

import grpc
from playwright.sync_api import expect

from failures import fails
from recorded import push


def test_c_23_a_person_leaves_for_good_by_keyboard_alone_and_keeps_the_receipt(window, accounts):
    person, doctor = accounts.person(), accounts.third_party()
    push(person, "heart_rate", 71, 72)
    doctor.granted(person)
    words, receipts, reasons = window.words("pages/leave"), window.words("receipts"), window.words("errors/reasons")
    page = window.page
    window.sign_in(person.credentials, "/settings")
    window.press(page.get_by_role("link", name=window.words("pages/settings")("leave")))
    window.heading(words("title"))
    window.look("what it means")
    password = page.get_by_label(words("password"), exact=True)
    sure = page.get_by_role("dialog", name=words("sure"))

    # Whoever goes back, or does not know the password, stays.
    window.type_into(password, "not the password")
    page.keyboard.press("Enter")
    expect(sure).to_be_visible()
    window.look("asked whether to leave")
    page.keyboard.press("Escape")
    expect(sure).to_have_count(0)
    window.press(page.get_by_role("button", name=words("submit")))
    window.allow("403 .*DeactivateAccount")
    window.press(sure.get_by_role("button", name=words("confirm")))
    expect(password).to_be_focused()
    expect(password).to_have_accessible_description(f"{words('passwordHint')} {words('wrongPassword')}")
    assert person.ask("GetAccount").account.account_id == person.account_id

    # What the page still waits for hears that there is no session any more, and the receipt stays all the same.
    held = []
    page.route("**/ListNotifications", lambda route: held.append(route))
    with page.expect_request("**/ListNotifications"):
        person.device()

    def leave(route):
        for waiting in held:
            waiting.fulfill(status=401, json={"code": "unauthenticated"})
        route.continue_()

    page.route("**/DeactivateAccount", leave)
    window.type_into(password, person.credentials.password)
    page.keyboard.press("Enter")
    window.allow("401 .*ListNotifications")
    window.press(sure.get_by_role("button", name=words("confirm")))
    expect(page.get_by_role("heading", name=words("left"))).to_be_focused()
    assert held
    expect(page.get_by_role("banner").get_by_role("link", name=window.words("shell")("signIn"))).to_be_visible()
    window.look("with the receipt")
    number = page.get_by_role("group", name=words("receipt")).locator("code").inner_text()
    assert not window.context.cookies()
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        person.ask("GetAccount")

    # Everybody who has the number can see how far it is.
    window.press(page.get_by_role("link", name=words("lookUp")))
    erasure = window.words("pages/erasure")
    window.heading(erasure("title"))
    window.look("before a number")
    field = page.get_by_label(erasure("receipt"), exact=True)
    window.type_into(field, number + "x")
    window.allow("404 .*GetErasureReceipt")
    page.keyboard.press("Enter")
    expect(field).to_have_accessible_description(f"{erasure('receiptHint')} {erasure('unknown')}")
    assert erasure("unknown") == reasons("NO_RECEIPT")
    window.type_into(field, number)
    page.keyboard.press("Enter")
    expect(page.get_by_text(receipts("running")).or_(page.get_by_text(receipts("erased")))).to_be_visible()
    assert number not in page.url
    window.look("with a receipt")
