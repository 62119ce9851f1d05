"""The metric registry takes new metrics while the server runs (B-3.7.4, B-R.D1)."""

from trackme.protocol import ingest, reading_service

from server_process import wait_until
from streams import METRIC_IDS, reading, scalars

T0 = 1_700_000_000_000_000


def test_the_kinds_of_the_beginning_are_there_with_units_and_codes(operator):
    metrics = {m.name: m for m in operator.metrics()}
    assert metrics.keys() >= {
        "heart_rate", "systolic_blood_pressure", "diastolic_blood_pressure", "blood_glucose", "body_temperature",
        "blood_oxygen", "respiratory_rate", "ecg", "steps", "weight", "position",
    }  # fmt: skip
    assert (metrics["heart_rate"].unit, metrics["heart_rate"].loinc_code) == ("/min", "8867-4")
    assert metrics["body_temperature"].unit == "Cel"
    assert metrics["position"].kind == reading_service.METRIC_KIND_POSITION
    assert metrics["ecg"].kind == reading_service.METRIC_KIND_WAVEFORM
    # Other tests add some.
    for metric in (metrics[name] for name in METRIC_IDS):
        assert metric.display_name and metric.unit and metric.minimum < metric.maximum
    assert {name: metrics[name].id for name in METRIC_IDS} == METRIC_IDS
    ids = [m.id for m in operator.metrics()]
    assert ids == sorted(set(ids))


def test_the_registry_says_which_kinds_can_be_0(operator, person):
    metrics = {m.name: m for m in operator.metrics() if m.name in METRIC_IDS}
    assert {name for name, metric in metrics.items() if not metric.zero_is_no_value} == {"ecg", "steps"}
    scalars_of = sorted(name for name, m in metrics.items() if m.kind == reading_service.METRIC_KIND_SCALAR)
    answer = operator.record([reading(person, T0, 0, metric=name) for name in scalars_of])
    refused = {scalars_of[r.index]: (ingest.RejectionReason.Name(r.reason), r.field) for r in answer.rejections}
    no_value = ("REJECTION_REASON_NO_VALUE", "value")
    assert refused == {name: no_value for name in scalars_of if name != "steps"}
    assert [(r.metric, r.scalar) for r in operator.history(person)] == [("steps", 0)]


def test_a_metric_added_in_the_database_is_taken_within_two_seconds(server, operator, person):
    server.sql(
        "INSERT INTO metric (id, name, display_name, kind, unit, loinc_code, minimum, maximum) "
        "VALUES (700, 'mood', 'Mood', 'scalar', '1', '', 0, 10)"
    )
    wait_until(lambda: "mood" in {m.name for m in operator.metrics()}, 3.5, "the new metric")
    with operator.subscribe([person], metrics=["mood"]) as subscription, operator.push() as push:
        subscription.standing()
        answer = push.commit(1, scalars(person, [(T0, 7), (T0 + 1, 11)], metric=700))
        assert (answer.accepted, answer.rejected) == (1, 1)
        assert subscription.times(1) == [T0]
    assert operator.record([reading(person, T0 + 2, 8, metric="mood")]).accepted == 1
    assert [(r.metric, r.scalar) for r in operator.history(person)] == [("mood", 8), ("mood", 7)]
