"""Questions about anonymous groups in a browser: cost, answer, subscription, rows and price (A-R9, A-R10, A-R11, B-R.R4 to
B-R.R6, B-R.D6, B-2.2.5)."""

from __future__ import annotations

import csv
import json
import re

import pytest
from playwright.sync_api import expect

from trackme.protocol import groups, payments as payment, sharing

from group_town import HOUR_US, Town, day, midnight_us
from payment_provider import PaymentProvider
from server_process import wait_until

pytestmark = pytest.mark.strict

PERSONS = 1_340
HAVE = {3: 900, 2: PERSONS, 1: PERSONS}
"""How many persons have a pulse, by how many days ago: 1,120 are enough at high precision."""


@pytest.fixture(scope="module")
def town():
    """A year's budget of each third party is four answers of high precision with a mean."""
    made = Town(has_web=True, TRACKME_GROUP_BUDGET_OF_ALL="10000000", TRACKME_HEARTBEAT_MS="500")
    persons = made.seed(PERSONS, "heart_rate", "position")
    for ago, count in HAVE.items():
        made.push("heart_rate", ((p, midnight_us(ago) + 8 * HOUR_US, 60 + n % 21) for n, p in enumerate(persons[:count])))
    made.place((p, midnight_us(1) + 8 * HOUR_US, 45.4641, 9.1919) for p in persons)
    made.gathered()
    yield made
    made.close()


@pytest.fixture
def short_epochs(town):
    """Periods that are over are told of when an epoch begins: within a second, as long as a test wants it."""
    restart(town, TRACKME_GROUP_EPOCH_SECONDS="1")
    yield
    restart(town, TRACKME_GROUP_EPOCH_SECONDS="86400")


def restart(town: Town, **environment: str) -> None:
    town.server.stop()
    town.server.environment |= environment
    town.server.start()


@pytest.fixture
def institute(town):
    return town.accounts.third_party()


@pytest.fixture
def window(windows, town):
    return windows(town.server)


def address(**changes: str) -> str:
    """The page with a question about yesterday."""
    asked = {
        "metrics": "heart_rate", "fromDate": day().isoformat(), "toDate": day().isoformat(), "timeZone": "UTC",
        "precision": "GROUP_PRECISION_HIGH", **changes,
    }  # fmt: skip
    return "/groups?" + "&".join(f"{name}={value}" for name, value in asked.items())


def numbers(text: str) -> list[float]:
    """The numbers of "1,342 ± 20", in either language."""
    return [float(re.sub(r"[.,](?=\d{3}(\D|$))", "", part).replace(",", ".").split()[0]) for part in text.split(" ± ")]


def test_a_group_is_asked_about_by_keyboard_alone_after_what_it_costs(window, institute):
    words, told, page = window.words("pages/groups"), window.words("groups"), window.page
    window.sign_in(institute.credentials)
    window.press(page.get_by_role("link", name=window.words("shell")("groups"), exact=True))
    window.heading(words("title"))
    left = page.get_by_role("region", name=words("budget"))
    expect(left).to_contain_text("100")
    for said in ("reservedText", "leftInYearText"):
        expect(left).to_contain_text(words.like(said))
    window.look("no question")
    window.press(page.get_by_label(window.words("metrics")("heart_rate"), exact=True), "Space")
    buckets = page.get_by_label(words("buckets"), exact=True)
    window.tab_to(buckets)
    page.keyboard.press("ArrowDown")
    expect(buckets).to_have_value("GROUP_BUCKETS_DAY")
    precision = page.get_by_label(words("precision"), exact=True)
    window.tab_to(precision)
    page.keyboard.press("End")
    expect(precision).to_have_value("GROUP_PRECISION_HIGH")
    window.press(page.get_by_role("button", name=words("see"), exact=True))
    costs = page.get_by_role("heading", name=words("costs"), exact=True)
    expect(costs).to_be_focused()
    # Seven days with two numbers each are more than there is; nothing was spent by being told so.
    expect(page.get_by_text("175")).to_be_visible()
    expect(left).to_contain_text("100")
    window.look("what it costs")
    window.allow("429 .*QueryGroup")
    window.press(page.get_by_role("button", name=words("ask")))
    expect(page.get_by_role("alert").filter(has_text=words("budgetSpent"))).to_be_visible()
    window.open(address(fromDate=day(3).isoformat(), buckets="GROUP_BUCKETS_DAY"))
    expect(costs).to_be_visible()
    with page.expect_response("**/QueryGroup") as asking:
        window.press(page.get_by_role("button", name=words("ask")))
    expect(page.get_by_role("heading", name=words("answer"), exact=True)).to_be_visible()
    few, many, last = json.loads(asking.value.body())["answer"]["results"]
    assert few["isWithheld"]
    rows = page.get_by_role("table", name=told.like("answerCaption")).get_by_role("row")
    expect(rows).to_have_count(4)
    assert rows.nth(1).locator(".value").all_inner_texts() == [told("withheld"), ""]
    for row, result in ((rows.nth(2), many), (rows.nth(3), last)):
        persons, mean = row.locator(".value").all_inner_texts()
        assert numbers(persons)[0] == pytest.approx(result["persons"]["value"], abs=1)
        assert abs(numbers(persons)[0] - PERSONS) < 6 * numbers(persons)[1]
        assert numbers(mean) == pytest.approx([result["mean"]["value"], result["mean"]["error"]], abs=0.1)
    expect(page.get_by_role("img")).to_have_count(1)
    expect(page.locator(".whisker")).to_have_count(2)
    expect(left).not_to_contain_text("100")
    window.look("an answer of days")


def test_every_statistic_is_shown_with_its_noise_and_as_a_table(window, town, institute):
    wanted = ",".join(f"GROUP_STATISTIC_{name}" for name in ("STANDARD_DEVIATION", "QUANTILES"))
    words, told, page = window.words("pages/groups"), window.words("groups"), window.page
    window.sign_in(institute.credentials, address(statistics=wanted).replace(",", "%2C"))
    page.get_by_role("button", name=words("ask")).click()
    expect(page.get_by_role("heading", name=words("answer"), exact=True)).to_be_visible()
    assert len(page.get_by_role("table", name=told.like("answerCaption")).locator(".value").all_inner_texts()) == 3
    histogram = page.get_by_role("table", name=told.like("histogram"))
    expect(histogram.get_by_role("row")).to_have_count(21)
    expect(page.locator(".whisker")).to_have_count(20)
    expect(page.get_by_role("table", name=told.like("quantiles")).get_by_role("row")).to_have_count(6)
    window.look("spread")
    page.reload()
    expect(page.get_by_label(words("quantiles"), exact=True)).to_be_checked()
    expect(page.get_by_label(words("fromDate"), exact=True)).to_have_value(day().isoformat())
    expect(page.get_by_role("heading", name=words("costs"), exact=True)).to_be_visible()


@pytest.mark.long
def test_the_course_of_a_day_within_a_box_is_shown_by_the_hour(window, institute):
    words, told, page = window.words("pages/groups"), window.words("groups"), window.page
    window.sign_in(institute.credentials, address(statistics="GROUP_STATISTIC_HOUR_PROFILE", fromHour="7", toHour="9"))
    south = page.get_by_label(words("south"), exact=True)
    expect(south).to_be_hidden()
    place = page.get_by_label(words("place"), exact=True)
    window.tab_to(place)
    page.keyboard.press("End")
    expect(place).to_have_value("box")
    see = page.get_by_role("button", name=words("see"), exact=True)
    window.press(see)
    expect(south).to_be_focused()
    for name, value in (("south", "44.8"), ("north", "46"), ("west", "8.5"), ("east", "10")):
        window.tab_to(page.get_by_label(words(name), exact=True))
        page.keyboard.type(value)
    window.press(see)
    # A whole day would cost more than there is.
    expect(page.get_by_role("heading", name=words("costs"), exact=True)).to_be_focused()
    with page.expect_response("**/QueryGroup") as asking:
        window.press(page.get_by_role("button", name=words("ask")))
    answered = json.loads(asking.value.body())
    box = answered["question"]["box"]
    assert box["south"] <= 44.8 and box["north"] >= 46 and box["west"] <= 8.5 and box["east"] >= 10
    expect(page.get_by_role("heading", name=words("answer"), exact=True)).to_be_visible()
    (profile,) = answered["answer"]["profiles"]
    rows = page.get_by_role("table", name=told.like("profile")).get_by_role("row")
    assert [h.get("hour", 0) for h in profile["hours"] if not h.get("isWithheld")] == [8]
    for number, hour in enumerate(profile["hours"], 1):
        cells = rows.nth(number).locator(".value").all_inner_texts()
        expect(rows.nth(number)).to_contain_text(f"{hour.get('hour', 0):02}:00")
        if hour.get("isWithheld"):
            assert cells == [told("withheld"), ""]
            continue
        assert abs(numbers(cells[0])[0] - PERSONS) < 6 * numbers(cells[0])[1]
        assert numbers(cells[1]) == pytest.approx([hour["mean"]["value"], hour["mean"]["error"]], abs=0.1)
    expect(page.locator(".whisker")).to_have_count(1)
    window.look("the course of a day")


def test_a_group_that_is_too_small_is_not_told_of(window, institute):
    words, page = window.words("pages/groups"), window.page
    window.sign_in(institute.credentials, address(fromDate=day(3).isoformat(), toDate=day(3).isoformat()))
    window.allow("400 .*QueryGroup")
    page.get_by_role("button", name=words("ask")).click()
    expect(page.get_by_role("alert").filter(has_text=words("tooSmall"))).to_be_visible()
    expect(page.get_by_role("heading", name=words("answer"), exact=True)).to_have_count(0)
    window.look("too small")


def test_what_is_wrong_with_a_question_stands_at_its_field_and_areas_are_found_by_name(window, institute):
    words, told, page = window.words("pages/groups"), window.words("groups"), window.page
    window.sign_in(institute.credentials, "/groups")
    see = page.get_by_role("button", name=words("see"), exact=True)
    see.click()
    expect(page.get_by_label(window.words("metrics")("heart_rate"), exact=True)).to_be_focused()
    page.get_by_label(window.words("metrics")("heart_rate"), exact=True).check()
    to_age = page.get_by_label(words("toAge"), exact=True)
    page.get_by_label(words("fromAge"), exact=True).fill("60")
    to_age.fill("30")
    window.allow("400 .*QueryGroup")
    see.click()
    expect(to_age).to_have_accessible_description(f"{words('agesHint')} {words('agesRefused')}")
    window.look("refused")
    to_age.fill("72")
    area = page.get_by_label(words("area"), exact=True)
    expect(area).to_be_hidden()
    page.get_by_label(words("place"), exact=True).select_option("area")
    area.press_sequentially("lomb")
    expect(page.locator("#areas option")).to_have_attribute("value", "Lombardia (IT-R03)")
    see.click()
    expect(area).to_have_accessible_description(f"{words('areaHint')} {words('areaMissing')}")
    area.fill("Lombardia (IT-R03)")
    see.click()
    expect(page.get_by_role("definition").filter(has_text="IT-R03")).to_be_visible()
    expect(page.get_by_role("definition").filter(has_text=told("agesFromTo", **{"from": "60", "to": "74"}))).to_be_visible()
    page.get_by_label(words("place"), exact=True).select_option("circle")
    expect(area).to_be_hidden()
    for name, value in (("latitude", "45.46"), ("longitude", "9.19"), ("radius", "25")):
        page.get_by_label(words(name), exact=True).fill(value)
    see.click()
    expect(page.get_by_role("definition").filter(has_text="25 km")).to_be_visible()
    window.look("a circle")


def test_a_question_is_subscribed_to_and_its_releases_come_once(town, short_epochs, window, institute):
    words, told, page = window.words("pages/groups"), window.words("groups"), window.page
    subscriptions = window.words("pages/subscriptions")
    window.sign_in(institute.credentials, address())
    form = page.get_by_role("form", name=words("subscribe"))
    window.tab_to(form.get_by_label(window.words("sharing")("weekly"), exact=True))
    page.keyboard.press("ArrowUp")
    window.press(form.get_by_role("button", name=words("subscribeNow")))
    window.heading(subscriptions.like("subscriptionOf"))
    expect(page.get_by_text(subscriptions("noDeliveries"))).to_be_visible()
    (made,) = institute.ask("ListSubscriptions").subscriptions
    assert made.cadence == sharing.CADENCE_DAILY and made.group.precision == groups.GROUP_PRECISION_HIGH
    town.server.sql(
        "UPDATE group_subscription SET period_start = %s::timestamptz, period_end = %s::timestamptz WHERE id = %s",
        (f"{day(3)} 00:00+00", f"{day(2)} 00:00+00", made.subscription_id),
    )
    cards = page.get_by_role("article")
    expect(cards.nth(1)).to_be_visible(timeout=30_000)
    # The oldest one, of too few persons, has nothing but that; there is no number in it.
    expect(cards.last).to_contain_text(told("tooSmall"))
    expect(cards.last.get_by_role("table")).to_have_count(0)
    expect(cards.last.get_by_role("heading")).to_have_text(re.compile("00:00.+00:00"))
    row = cards.filter(has=page.get_by_role("table")).last.get_by_role("row").nth(1)
    persons = numbers(row.locator(".value").all_inner_texts()[0])
    assert abs(persons[0] - PERSONS) < 6 * persons[1]
    window.look("releases")
    count = cards.count()
    page.reload()
    expect(cards).to_have_count(count)


@pytest.mark.long
def test_rows_are_loaded_after_what_they_cost(window, institute):
    words, page = window.words("pages/groups"), window.page
    window.sign_in(institute.credentials, address())
    window.press(page.get_by_role("button", name=words("seeRows")))
    link = page.get_by_role("link", name=words("csv"))
    expect(link).to_be_visible()
    window.look("rows")
    with page.expect_download() as loading:
        window.press(link)
    assert loading.value.suggested_filename == "trackme-group.csv"
    with open(loading.value.path(), newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert abs(len(rows) - PERSONS) < 200 and {row["metric"] for row in rows} == {"heart_rate"}


@pytest.mark.long
def test_what_has_a_price_is_paid_before_it_is_answered(windows, town, tmp_path):
    """Last, as it starts the server anew with prices for requests and questions."""
    provider = PaymentProvider(tmp_path)
    prices = {"TRACKME_REQUEST_PRICE": "1500 EUR", "TRACKME_GROUP_QUESTION_PRICE": "2500 EUR"}
    restart(town, **provider.environment, **prices)
    try:
        town.accounts.administrator.log_in()
        window, institute = windows(town.server), town.accounts.third_party()
        a_question_with_a_price(window, institute, provider)
        a_request_with_a_price(window, institute, town.accounts.person(), provider)
    finally:
        provider.close()


def a_question_with_a_price(window, institute, provider) -> None:
    words, payments, page = window.words("pages/groups"), window.words("payments"), window.page
    window.sign_in(institute.credentials, address())
    expect(page.get_by_role("definition").filter(has_text=re.compile("25[.,]00"))).to_be_visible()
    window.press(page.get_by_role("button", name=words("ask")))
    expect(page.get_by_text(words("due"))).to_be_visible()
    link = page.get_by_role("link", name=payments.like("pay"))
    window.look("to be paid")
    paid = page.get_by_role("button", name=words("paid"))
    window.press(paid)
    expect(page.get_by_role("alert").filter(has_text=words("notPaid"))).to_be_visible()
    assert provider.pay(link.get_attribute("href")) == 200

    asked = groups.GroupQuestion(
        metrics=["heart_rate"], from_date=day().isoformat(), to_date=day().isoformat(),
        precision=groups.GROUP_PRECISION_HIGH, statistics=[groups.GROUP_STATISTIC_MEAN],
    )  # fmt: skip
    state = lambda: institute.ask("QueryGroup", question=asked).payment.state  # noqa: E731
    wait_until(lambda: state() == payment.PAYMENT_STATE_AUTHORIZED, what="the news of the payment")
    paid.click()
    expect(page.get_by_role("heading", name=words("answer"), exact=True)).to_be_visible()
    window.look("paid and answered")
    assert institute.ask("GetGroupBudget").budget.spent.rho > 0
    window.allow("400 .*CreateSubscription")
    form = page.get_by_role("form", name=words("subscribe"))
    form.get_by_role("button", name=words("subscribeNow")).click()
    expect(form.get_by_role("alert")).to_have_text(words("havePrice"))


def a_request_with_a_price(window, institute, person, provider) -> None:
    asked, sharing_words, payments, page = (
        window.words("pages/asked"), window.words("sharing"), window.words("payments"), window.page)  # fmt: skip
    window.open("/ask")
    expect(page.get_by_text(re.compile("15[.,]00"))).to_be_visible()
    window.look("a request with a price")
    number = institute.request(person).access_request_id
    window.open(f"/asked/{number}")
    expect(page.get_by_text(sharing_words("awaitingPayment"), exact=True)).to_be_visible()
    link = page.get_by_role("link", name=payments.like("pay"))
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    window.look("a request to be paid")
    assert provider.pay(link.get_attribute("href")) == 200
    expect(page.get_by_text(sharing_words("pending"), exact=True)).to_be_visible()
    expect(page.get_by_role("definition").filter(has_text=payments("authorized"))).to_be_visible()
    person.ask("AcceptAccessRequest", access_request_id=number)
    expect(page.get_by_role("definition").filter(has_text=payments("captured"))).to_be_visible()
    expect(page.get_by_role("link", name=asked("look"))).to_be_visible()
