"""Salute Trasparente: what is told of whole forms, of several years and of bodies. All of it is SYNTHETIC."""

from __future__ import annotations

import grpc
import pytest

from trackme.protocol import figures

from expenditure_site import FORM, REASON, Site, bodies, body_rows, national, regional
from failures import fails

FINANCE = ["CA0010", "CA0050", "CA0110", "CA0150"]


@pytest.fixture(scope="module")
def visitor():
    """Of 2022 there is the whole form; the years beside it have the total of costs and a part of C that 2022 has not."""
    total = {"BZ9999": FORM["BZ9999"]}
    changes = {(20, "CA0110"): "", (30, "CA0010"): "50.00"} | {(50, voice): "" for voice in FINANCE}
    later = total | {"CA0170": ("C.5) Solo nel 2023 SYNTHETIC", "1.00")}
    files = {
        "r2021.csv": regional(2021, total), "r2022.csv": regional(2022, FORM, changes), "r2023.csv": regional(2023, later),
        "n2022.csv": national(2022, FORM), "b2022.csv": bodies(year=2022, name="SYNTHETIC OLD"),
        "b2023.csv": bodies(year=2023, name="SYNTHETIC NEW"),
        "b999.csv": body_rows([(2023, "999", "SYNTHETIC", "ZZ0001", "Voce SYNTHETIC", "1.00")]),
    }  # fmt: skip
    with Site() as made:
        made.published(files, REASON)
        yield made.accounts.anonymous()


def view(voice: str = "CZ9999", **fields) -> figures.View:
    return figures.View(voice=voice, **fields)


def test_what_parts_do_not_explain_counts_each_with_its_sign(visitor):
    """S-UC2: interest that is paid is taken away."""
    explained = visitor.ask("GetReport", territory="010", view=view(year=2022))
    assert [part.voice.code for part in explained.parts] == FINANCE and explained.unexplained_cents == 0
    assert visitor.ask("GetReport", territory="030", view=view(year=2022)).unexplained_cents == -45_00


def test_where_a_part_has_no_amount_nothing_is_said_of_the_rest(visitor):
    report = visitor.ask("GetReport", territory="020", view=view(year=2022))
    assert [part.voice.code for part in report.parts] == FINANCE, "those that other accounts of the year have"
    assert [part.value.missing for part in report.parts] == [0, 0, figures.MISSING_REASON_NOT_REPORTED, 0]
    assert report.unexplained_cents == 0 and report.whole.value.number == -450


def test_s_nfr10_the_consolidation_of_a_region_is_no_body_that_can_be_shown(visitor):
    with fails(grpc.StatusCode.NOT_FOUND) as failure:
        visitor.ask("GetReport", territory="010999", view=view("ZZ0001", year=2023))
    assert failure.reason == "NO_SUCH_TERRITORY"


def test_an_account_that_does_not_go_deeper_has_no_parts(visitor):
    report = visitor.ask("GetReport", territory="050", view=view(year=2022))
    assert report.whole.value.number == -450 and not report.parts and report.unexplained_cents == 0
    sides = visitor.ask("CompareTerritories", territories=["050", "010"], view=view(year=2022)).sides
    assert all([part.voice.code for part in side.parts] == FINANCE for side in sides), "the same on every side"


def test_a_year_that_is_left_open_is_the_newest_that_has_the_voice(visitor):
    voice = "CA0010"
    assert visitor.ask("GetMap", view=view(voice)).view.year == 2022
    assert visitor.ask("GetMap").view.year == 2023
    assert visitor.ask("GetReport", territory="010", view=view(voice)).view.year == 2022
    assert visitor.ask("GetReport", territory="010201", view=view(voice)).view.year == 2023, "of its own accounts"
    assert visitor.ask("CompareTerritories", territories=["010", "IT"], view=view(voice)).view.year == 2022


def test_a_map_has_the_years_of_its_voice(visitor):
    assert [year.year for year in visitor.ask("GetMap", view=view("CA0010")).years] == [2022]
    assert [year.year for year in visitor.ask("GetMap").years] == [2021, 2022, 2023]


def test_a_body_has_its_own_years_and_the_newest_of_its_names(visitor):
    (listed,) = visitor.ask("ListTerritories", bodies_of="010").territories
    assert (listed.code, listed.name) == ("010201", "SYNTHETIC NEW")
    for rpc in ("GetReport", "GetVoiceReport"):
        report = visitor.ask(rpc, territory="010201")
        assert report.territory == listed
        assert [year.year for year in report.series] == [2022, 2023]


def test_only_regions_are_ranked(visitor):
    for territory, is_ranked in (("010", True), ("IT", False), ("010201", False)):
        report = visitor.ask("GetVoiceReport", territory=territory)
        assert [value.HasField("rank") for value in report.measures] == 4 * [is_ranked]
        assert visitor.ask("GetReport", territory=territory).HasField("rank") == is_ranked


def test_equal_amounts_share_a_place(visitor):
    """S-NFR5: all but one have the same."""
    rank = visitor.ask("GetReport", territory="010", view=view("CA0010", year=2022)).rank
    assert (rank.place, rank.of, rank.tied_with) == (2, 20, 18)
    rank = visitor.ask("GetReport", territory="030", view=view("CA0010", year=2022)).rank
    assert (rank.place, rank.of, rank.tied_with) == (1, 20, 0)
    rank = visitor.ask("GetReport", territory="050", view=view("CA0010", year=2022)).rank
    assert (rank.place, rank.of, rank.tied_with) == (0, 20, 0)


def test_what_is_made_of_bodies_names_their_source(visitor):
    of_bodies = "RGS-MEF OpenBDAP, spd_ssn_cce_elb_voccn_01"
    for territory, is_of_bodies in (("010201", True), ("010", False)):
        for rpc in ("GetReport", "GetVoiceReport"):
            sources = [source.name for source in visitor.ask(rpc, territory=territory).origin.sources]
            assert (of_bodies in sources) == is_of_bodies, (rpc, territory)
    # Beside a body stands Italy.
    sources = visitor.ask("GetVoiceReport", territory="010201").origin.sources
    assert any("NAZ_VOCCN" in source.name for source in sources)
