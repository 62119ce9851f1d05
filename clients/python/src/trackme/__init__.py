"""Client of TrackMe: push readings, follow subscriptions, ask for history.

Start at TrackMeClient. The protocol itself, as generated, is in trackme.protocol.
"""

from .backoff import Backoff
from .client import TrackMeClient
from .endpoint import TLS, Endpoint
from .errors import BatchTooLarge, ClientSuperseded, ErrorDetails, TrackMeError, UnknownMetric, details_of
from .groups import GroupAnswer, GroupExport
from .metrics import Metric, MetricKind, MetricRegistry
from .push import Acknowledgement, PushSession, Rejected, Ticket
from .subscribe import Frame, Subscription, Watch
from .values import Position, Reading, Waveform

__all__ = [
    "Acknowledgement",
    "Backoff",
    "BatchTooLarge",
    "ClientSuperseded",
    "Endpoint",
    "ErrorDetails",
    "Frame",
    "GroupAnswer",
    "GroupExport",
    "Metric",
    "MetricKind",
    "MetricRegistry",
    "Position",
    "PushSession",
    "Reading",
    "Rejected",
    "Subscription",
    "TLS",
    "Ticket",
    "TrackMeClient",
    "TrackMeError",
    "UnknownMetric",
    "Watch",
    "Waveform",
    "details_of",
]
