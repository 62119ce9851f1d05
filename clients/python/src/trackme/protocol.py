"""The protocol as generated from Protos/: messages and stubs, by area.

`readings.Reading` is the message trackme.readings.v1.Reading, `ReadingServiceStub` the stub of its service.
"""

from ._generated.ingest.v1 import ingest_service_pb2 as ingest
from ._generated.ingest.v1.ingest_service_pb2_grpc import IngestServiceStub
from ._generated.readings.v1 import reading_pb2 as readings
from ._generated.readings.v1 import reading_service_pb2 as reading_service
from ._generated.readings.v1.reading_service_pb2_grpc import ReadingServiceStub
from ._generated.sharing.v1 import subscription_service_pb2 as sharing
from ._generated.sharing.v1.subscription_service_pb2_grpc import SubscriptionServiceStub

__all__ = [
    "IngestServiceStub",
    "ReadingServiceStub",
    "SubscriptionServiceStub",
    "ingest",
    "reading_service",
    "readings",
    "sharing",
]
