"""docs/limits.md has every limit of the server, with the value that it has in the code. Needs no server.

A new limit fails here until docs/limits.md has a row for it in the part where a reader would look:

    | what | how many, per what | what happens at it | [Type.name](../Sources/…/File.swift), … |

The last cell leads to each constant that decides, and every number under "how many" has to be one of theirs: with its
unit (bytes, KiB, MiB, ms, s, seconds, minutes, hours, days, m, km), or without. A limit that is a number within a line
of code or SQL is named by a piece of that line in backticks. A number that only looks like a limit goes into
`NO_LIMITS`, with the reason.
"""

import re
from collections import defaultdict

import pytest

from limit_table import PAGE, SOURCES, Constant, Quantity, code_quantities, constants, quantities, rows

# A name that has one of these words is a limit; and so is whatever is a time or a size.
WORDS = set(
    """
    age attempts batch batches bound burst calls capacity connections count deadline depth gather interval keys kept
    largest least length lifetime limit limits linger listed longest max maximum min minimum minutes most once page
    pages parallel part patience pause per places quota radius reach readings requests retries round rounds size slots
    spectators steps streams tail threads ticks timeout tolerance tries waiting width
    """.split()
)

# What is made from Protos/; programs that are no server: tools, and counterparts for development; the client's side.
NO_SERVER = re.compile(
    r".*/Generated/|Tools/|Areas/[^/]+/Bench/|Libraries/(RPCRuntime/Client/|Postgres/TemporaryCluster)"
)

NO_LIMITS = {
    "how the model of a runner on a course judges positions": """
        Areas/Races/Rules/Live/
        """,
    "how the evaluator judges readings, in docs/sos.md": """
        NEWS2.minimumAge DefaultThresholds.glucoseMinimumAge DefaultThresholds.unknownAge SosSettings.onFromAge
        PersonMonitor.quiet PersonMonitor.recovery PersonMonitor.wordLasts PersonMonitor.farthest
        SilenceWatch.batteryLasts VitalTrack.bucket VitalTrack.gapUnit SosExertions.exertionAftermath
        RaceExertions.fromTheGun CountryMap.coastReach PersonMonitor.clockError Evidence+Clock.minStep Evidence+Clock.jitter
        Evidence+Clock.showsAnyway Evidence+Clock.maxStrays PersonMonitor.plainSteps PersonMonitor.judgingSteps
        PersonMonitor.newTrackSteps VitalsMonitor.passingSteps
        """,
    "the form in which readings are stored": """
        DecimalScale.digitsMax IntegerColumn.constantCountMax IntegerColumn.stepWidthMax BlockWriter.capacity
        Summarizer.plainMax Seal.hashBytes Seal.tagBytes StoredSpace.rowBytes StorageQuota.valueBytesMax
        ResourceIDs.hashBytes
        """,
    "a unit of time, the end of time, or the size of something else": """
        Chunk.hour PersonHistory.hour DisclosureDay.length EmergencyStore.lastTime TokenCommand.day
        RaceRows.columnCount ClusterLayout.socketPathLimitBytes CountryMap.metresPerDegree Envelope.headBytes
        ZipDirectory.endBytes ZipDirectory.locatorBytes ZipDirectory.end64Bytes
        """,
    "how often something is looked at, or how much of it in one go: nobody is refused, and nothing is lost": """
        VitalsMonitor.pace VitalsMonitor.silencePace DeskState.sweepInterval DeskState.limit MailSender.interval
        NotificationBoard.pause NotificationBoard.interval NotificationsArea.inboxInterval PaymentDesk.poll RaceResults.poll
        PoolClock.repeatInterval ServerConfiguration.requestedCallsPerLoop MonitorShard.pageSize
        EmergencyDesk+Work.eventsAtOnce RosterRecords.pageSize TokenRegistry.pageSize LastReadings.pageSize
        RecentReadings.namedMax RecentReadings.size BinaryCopyWriter.bufferSizeBytes Pipeline.flushThresholdBytes
         ParameterArrays.copyLimitBytes FileSystem.lastBytes SubscriptionEvents.limit SilentCalls.intervalMilliseconds
         ConnectionTable.lookInterval Listener.reportInterval LiveAccess.maxQuestions CellWork.personsAtOnce
         StepLines.pause ReadingGate.stoppedAtOnce
         HTTPServer.lookInterval HTTPServer.drainInterval Waker.shortestPause CSVReader.chunkBytes XMLPart.chunkBytes
        """,
    "how many persons a command makes up for a demonstration": """
        SeedPersonsCommand.count SeedPersons.countMax
        """,
    "the grid and the noise of answers about groups": """
        DiscreteGaussian.varianceMax PlaceGrid.perDegree ValueScale.steps
        """,
    "always given by who calls, within a row's limit": """
        PaymentStore.limit PoolConfiguration.connectionCount
        """,
    "room for connections that are being closed": """
        Daemon.spareConnections
        """,
    "given by who calls: what an amount is divided by": """
        Measure.count PriceIndex.count
        """,
    "the same as another row's, under a second name": """
        OpenIDProvider.tokenBytesMax Registration.attemptsPerMinute
        """,
    "not the server's: serve sets its own": """
        ServerConfiguration.maxReceiveMessageBytes
        """,
    "what routes are like, and the choice of them": """
        RoadPlanner.maxWorn RoadNetwork.reach
        """,
    "tried again where two callers meet; then as if nobody had been found": """
        RequestAccess.tries
        """,
}


def server_files():
    files = sorted(SOURCES.rglob("*.swift"))
    return [file for file in files if not NO_SERVER.match(str(file.relative_to(SOURCES)))]


ALL = list(constants(server_files()))
ROWS = rows(PAGE.read_text())
EXCEPTIONS = {entry: reason for reason, entries in NO_LIMITS.items() for entry in entries.split()}


def is_limit(constant: Constant) -> bool:
    return bool(constant.words & WORDS) or constant.values[0].kind != "number"


def exceptions_for(constant: Constant) -> list[str]:
    path = str(constant.file.relative_to(SOURCES))
    return [entry for entry in EXCEPTIONS if entry == constant.key or (entry.endswith("/") and path.startswith(entry))]


def named(name: str, file) -> list[Constant]:
    return [constant for constant in ALL if constant.file == file and constant.name == name.split(".")[-1]]


def show(quantity: Quantity) -> str:
    return f"{quantity.amount:,g} {({'time': 's', 'size': 'bytes', 'number': ''})[quantity.kind]}".strip()


def show_all(amounts) -> str:
    return " to ".join(show(quantity) for quantity in sorted(amounts))


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_limit_is_what_the_code_says(row):
    """Both ways: what is named is in its file and its value in the row, and the row has no other number."""
    said, meant, wrong = quantities(row.how_many), set(), []
    for name, file in row.places:
        if name.startswith("`"):
            values = [code_quantities(name.strip("`"))] if name.strip("`") in file.read_text() else []
        else:
            values = [set(constant.values) for constant in named(name, file)]
        fitting = [amounts for amounts in values if amounts <= said]
        meant = meant.union(*fitting)
        if not values:
            wrong.append(f"{name} is not in {file.name}")
        elif not fitting:
            wrong.append(f"{name} in {file.name} is {' or '.join(map(show_all, values))}")
    wrong += [f"{show(quantity)} is none of what is named" for quantity in sorted(said - meant)]
    assert not wrong, f"{row}: {'; '.join(wrong)}"


def test_every_limit_has_a_row():
    """Also each of several of one name in a file."""
    said = defaultdict(list)
    for row in ROWS:
        for name, file in row.places:
            said[name.split(".")[-1], file].append(quantities(row.how_many))
    missing = [
        f"| … | {show_all(constant.values)} | … | "
        f"[{constant.key}](../{constant.file.relative_to(PAGE.parents[1])}) |   <- {constant}"
        for constant in ALL
        if is_limit(constant) and not exceptions_for(constant)
        if not any(set(constant.values) <= amounts for amounts in said[constant.name, constant.file])
    ]
    assert not missing, "docs/limits.md needs rows, or NO_LIMITS reasons, for:\n" + "\n".join(missing)


def test_every_exception_is_needed():
    used = {entry for constant in ALL if is_limit(constant) for entry in exceptions_for(constant)}
    unused = sorted(EXCEPTIONS.keys() - used)
    assert not unused, f"NO_LIMITS has what is no limit of the code: {' '.join(unused)}"


def test_rows_are_not_there_twice():
    seen = [str(row) for row in ROWS]
    assert sorted({row for row in seen if seen.count(row) > 1}) == []
    assert len(ROWS) > 150


# MARK: the rule itself


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("  private static let maxThings = 1_000", [("number", 1_000)]),
        ("  static let thingsMax: Int32 = 50", [("number", 50)]),
        ("  public var waitingMax = 64", [("number", 64)]),
        ("private let maxThings = 7", [("number", 7)]),
        ("  init(maxThings: Int = 10, patience: Duration = .seconds(60)) {", [("number", 10), ("time", 60)]),
        ("  static let maxBytes = 256 << 10", [("size", 262_144)]),
        ("  static let grace: Duration = .milliseconds(1_500)", [("time", 1.5)]),
        ("    static let term: Microseconds = 2 * 3_600 * 1_000_000", [("time", 7_200)]),
        ("  static let bits = 2_048...8_192", []),
        ("  static let maxBits = 2_048...8_192", [("number", 2_048), ("number", 8_192)]),
        ("    let maxLocal = 5", []),
        ("    var count: Int = 0", []),
        ("  static let version = 3", []),
    ],
)  # fmt: skip
def test_a_limit_is_found_in_code(tmp_path, code, expected):
    file = tmp_path / "Things.swift"
    file.write_text(code + "\n")
    assert [value for found in constants([file]) if is_limit(found) for value in found.values] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 MiB per message; 4 MiB + 64 KiB for others", {("size", 1 << 20), ("size", (4 << 20) + (64 << 10))}),
        ("100 per hour per third party", {("number", 100), ("time", 3_600)}),
        ("50 km, or 250 m", {("number", 50_000), ("number", 250)}),
        ("10 per address (IPv6: per /64), for 2.5 s", {("number", 10), ("time", 2.5)}),
        ("one per person", set()),
    ],
)
def test_a_row_is_read_as_people_read_it(text, expected):
    assert quantities(text) == expected


def test_a_row_without_an_answer_is_refused():
    with pytest.raises(AssertionError, match="empty cell"):
        rows("| things | 7 |  | [Things.max](../Sources/Things.swift) |")


def test_a_piece_of_code_counts_as_it_stands():
    assert code_quantities("min(Int(pageSize), 1_000)") == {("number", 1_000)}
    assert code_quantities("limits.whole = .seconds(10)") == {("time", 10)}
    assert code_quantities("interval '30 days'") == {("time", 30 * 86_400)}
    assert code_quantities("1...500") == {("number", 500)}
