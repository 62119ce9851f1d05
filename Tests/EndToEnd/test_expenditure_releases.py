"""What is published stays as it is; a correction is a new release (S-NFR10)."""

from __future__ import annotations

import grpc
import pytest

from trackme.protocol import ExpenditureServiceStub, figures, releases

from expenditure_files import accounts, import_files, pieces, publish
from expenditure_site import FORM, REASON, body_rows, map_values, national, regional
from failures import fails
from server_process import wait_until


@pytest.mark.long
def test_addresses_that_name_an_old_release_still_show_it(own_site):
    site = own_site
    first = publish(site.administrator, import_files(site.administrator, accounts(2024)))
    before = map_values(site, "BZ9999", first.number)
    left = import_files(site.administrator, accounts(2022))
    correction = import_files(site.administrator, accounts(2024, more=5))
    second = publish(site.administrator, correction)
    assert map_values(site, "BZ9999", first.number) == before
    wait_until(lambda: site.newest() == second.number, what="the correction is the newest")
    now = map_values(site, "BZ9999")
    assert now == map_values(site, "BZ9999", second.number) != before
    # The draft that was left could change what the second release shows: it is no more, and its files can come again.
    assert left.number not in {release.number for release in site.drafts()}
    again = import_files(site.administrator, accounts(2022))
    assert again.number > second.number and not again.files[0].imported_before
    publish(site.administrator, again)
    assert map_values(site, "BZ9999", second.number) == now


def test_drafts_are_for_administrators(own_site):
    site = own_site
    draft = import_files(site.administrator, accounts(2024))
    stub = ExpenditureServiceStub(site.administrator.channel)
    assert not stub.ListReleases(releases.ListReleasesRequest(), timeout=60).releases
    assert [release.number for release in site.drafts()] == [draft.number]
    for call, request in (
        (stub.PublishRelease, releases.PublishReleaseRequest(number=draft.number, etag=draft.etag)),
        (stub.ImportFigures, pieces(accounts(2023))),
    ):
        with fails(grpc.StatusCode.UNAUTHENTICATED):
            call(request, timeout=60)
    person = site.accounts.person()
    assert not person.ask("ListReleases").releases, "nor does a token of somebody else show them"
    with fails(grpc.StatusCode.PERMISSION_DENIED):
        import_files(person, accounts(2023))


def test_releases_are_listed_in_pages_of_one_caller(own_site):
    """The newest first; a page of an administrator, who sees drafts, is none of a visitor's."""
    site = own_site
    for year in range(2001, 2006):
        release = site.draft(accounts(year))
        if year == 2003:
            publish(site.administrator, release)
    seen, token = [], ""
    while True:
        page = site.ask("ListReleases", page_size=2, page_token=token)
        seen.append([release.number for release in page.releases])
        token = page.next_page_token
        if not token:
            break
    # The drafts that are older than what was published are no more.
    assert seen == [[5, 4], [3]]
    visitor = site.accounts.anonymous()
    assert [release.number for release in visitor.ask("ListReleases", page_size=2).releases] == [3]
    of_drafts = site.ask("ListReleases", page_size=2).next_page_token
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "page_token"):
        visitor.ask("ListReleases", page_size=2, page_token=of_drafts)
    for size, field in ((-1, "page_size"), (0, "page_token")):
        with fails(grpc.StatusCode.INVALID_ARGUMENT, field):
            visitor.ask("ListReleases", page_size=size, page_token="nonsense")


@pytest.mark.long
def test_a_page_has_at_most_50_releases(own_site):
    site = own_site
    for number in range(51):
        site.draft({"body.csv": body_rows([(1990 + number, "201", "SYNTHETIC", "BZ9999", "Totale (B)", "1.00")])})
    page = site.ask("ListReleases", page_size=1_000)
    assert len(page.releases) == 50 and page.next_page_token
    assert len(site.ask("ListReleases").releases) == 20


def test_a_reason_is_kept_only_where_there_was_something_to_override(own_site):
    """On pages it says that a check failed: it must not stand there where none did."""
    site = own_site
    release = publish(site.administrator, site.draft(accounts(2024)), REASON)
    assert release.override_reason == "" and site.ask("GetMap").origin.override_reason == ""


def test_sources_are_those_of_what_counts(own_site):
    """S-FR2: a file that was corrected as a whole is no source of the release that corrects it."""
    site = own_site
    voices = {"BZ9999": FORM["BZ9999"]}
    old = figures.Source(name="What was wrong, SYNTHETIC", licence="CC0")
    files = {"2022.csv": regional(2022, voices), "2023.csv": regional(2023, voices),
             "it-2022.csv": national(2022, voices), "it-2023.csv": national(2023, voices)}  # fmt: skip
    first = publish(site.administrator, site.draft_of(files, {"2022.csv": old}))
    draft = site.draft({"better.csv": regional(2022, voices, {(10, "BZ9999"): "799.00"}),
                        "it-better.csv": national(2022, voices, {"BZ9999": "16799.00"})})  # fmt: skip
    second = publish(site.administrator, draft)
    answer = site.ask("GetMap", view=figures.View(release=second.number))
    (before, after) = (
        {value.territory: value.value.source.file for value in year.values} for year in answer.years
    )
    assert before["010"] == before["020"] == "better.csv" and before["IT"] == "it-better.csv"
    assert after["010"] == "2023.csv"
    assert old not in answer.origin.sources
    assert old in site.ask("GetMap", view=figures.View(release=first.number)).origin.sources
    assert map_values(site, "BZ9999", first.number)[2022]["010"][0] == 80_000
    assert map_values(site, "BZ9999", second.number)[2022]["010"][0] == 79_900


def test_fields_of_a_publication_are_named(own_site):
    site = own_site
    for fields, field in (
        ({"number": 0, "etag": "1-1"}, "number"), ({"number": -1, "etag": "1-1"}, "number"),
        ({"number": 1 << 40, "etag": "1-1"}, "number"), ({"number": 1}, "etag"),
        ({"number": 1, "etag": "1-1", "override_reason": "x" * 19}, "override_reason"),
        ({"number": 1, "etag": "1-1", "override_reason": "x" * 1_001}, "override_reason"),
    ):  # fmt: skip
        with fails(grpc.StatusCode.INVALID_ARGUMENT, field):
            site.ask("PublishRelease", **fields)
