"""Notifications as they arise, in the header, the list and all windows of one browser (A-3.1.4, A-R6)."""

from __future__ import annotations

import re

from playwright.sync_api import expect


WATCH = re.compile("NotificationService/WatchNotifications")
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


def test_a_notification_is_counted_announced_listed_and_read(window, accounts):
    person = accounts.person()
    words, shell, kinds = window.words("pages/notifications"), window.words("shell"), window.words("notifications")
    page = window.page
    window.sign_in(person.credentials)
    header = page.get_by_role("banner")
    # The account's own beginning.
    expect(header).to_contain_text(shell("unread", count="1"))
    person.device(HOSTILE)
    added = kinds("NOTIFICATION_KIND_DEVICE_ADDED")
    expect(page.get_by_role("status")).to_have_text(shell("arrived", text=added))
    expect(header).to_contain_text(shell("unread", count="2"))
    window.look("with two unread")

    window.press(page.get_by_role("link", name=shell("notifications")))
    window.heading(words("title"))
    entries = page.get_by_role("list", name=words("list")).get_by_role("listitem")
    expect(entries).to_have_count(2)
    expect(entries.first).to_contain_text(added)
    window.press(entries.first.get_by_text(words("message")))
    expect(entries.first).to_contain_text(HOSTILE)
    expect(entries.first).to_contain_text("The device" if window.language == "en" else "Ora il dispositivo")
    window.look("with the message in full")

    # Another one comes while the list is looked at.
    person.device("scale")
    expect(entries).to_have_count(3)
    expect(entries.first.get_by_text(words("fresh"))).to_be_visible()
    window.press(entries.first.get_by_role("button", name=words("read")))
    expect(entries.first.get_by_text(words("fresh"))).to_be_hidden()
    expect(header).to_contain_text(shell("unread", count="2"))
    window.press(page.get_by_role("button", name=words("readAll")))
    expect(header.get_by_role("link", name=shell("notifications"), exact=True)).to_be_visible()
    assert person.ask("ListNotifications", unread_only=True).unread_count == 0
    window.press(page.get_by_role("link", name=words("unreadOnly")))
    expect(page.get_by_text(words("noneUnread"))).to_be_visible()
    assert page.url.endswith("/notifications?unread=1")
    window.look("with nothing unread")


def test_a_notification_whose_sentence_can_not_be_loaded_is_announced_without_it(window, accounts):
    person = accounts.person()
    window.allow("ERR_FAILED")
    window.page.route(re.compile("/assets/describe-"), lambda route: route.abort())
    window.sign_in(person.credentials)
    person.device("watch")
    expect(window.page.get_by_role("status")).to_have_text(window.words("shell")("arrivedOnly"))


def test_all_windows_of_a_browser_hear_by_one_stream(window, accounts):
    """One stream a browser: the second window opens none, and takes it over when the first one is closed."""
    person = accounts.person()
    shell = window.words("shell")
    streams = []
    window.context.on("request", lambda request: streams.append(request.frame.page) if WATCH.search(request.url) else None)
    window.sign_in(person.credentials)
    expect(window.page.get_by_role("banner")).to_contain_text(shell("unread", count="1"))
    second = window.context.new_page()
    second.goto(window.origin + "/")
    expect(second.get_by_role("banner")).to_contain_text(shell("unread", count="1"))
    person.device("watch")
    for page in (window.page, second):
        expect(page.get_by_role("banner")).to_contain_text(shell("unread", count="2"))
    assert streams == [window.page]
    window.page.close()
    person.device("scale")
    expect(second.get_by_role("banner")).to_contain_text(shell("unread", count="3"))
    assert streams == [window.page, second]


def test_a_third_party_hears_what_a_person_has_decided(window, accounts):
    """A-R7: and a person hears who asks (A-R6)."""
    person, doctor = accounts.person(), accounts.third_party()
    shell, kinds = window.words("shell"), window.words("notifications")
    window.sign_in(doctor.credentials)
    expect(window.page.get_by_role("banner")).to_contain_text(shell("unread", count="1"))
    doctor.granted(person)
    accepted = kinds("NOTIFICATION_KIND_ACCESS_ACCEPTED")
    expect(window.page.get_by_role("status")).to_have_text(shell("arrived", text=accepted))
