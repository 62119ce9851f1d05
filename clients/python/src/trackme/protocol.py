"""The protocol as generated from Protos/: messages and stubs, by area.

`readings.Reading` is the message trackme.readings.v1.Reading, `ReadingServiceStub` the stub of its service.
"""

from ._generated.admin.v1 import admin_pb2 as admin
from ._generated.admin.v1.admin_pb2_grpc import AdminServiceStub
from ._generated.expenditure.v1 import expenditure_service_pb2 as expenditure_service
from ._generated.expenditure.v1 import figures_pb2 as figures
from ._generated.expenditure.v1 import releases_pb2 as releases
from ._generated.expenditure.v1 import texts_pb2 as texts
from ._generated.expenditure.v1.expenditure_service_pb2_grpc import ExpenditureServiceStub
from ._generated.groups.v1 import group_service_pb2 as groups
from ._generated.groups.v1.group_service_pb2_grpc import GroupServiceStub
from ._generated.identity.v1 import identity_pb2 as identity
from ._generated.identity.v1.identity_pb2_grpc import IdentityServiceStub
from ._generated.ingest.v1 import ingest_service_pb2 as ingest
from ._generated.ingest.v1.ingest_service_pb2_grpc import IngestServiceStub
from ._generated.notifications.v1 import notification_pb2 as notifications
from ._generated.notifications.v1.notification_pb2_grpc import NotificationServiceStub
from ._generated.options.v1 import callers_pb2 as callers
from ._generated.payments.v1 import payment_pb2 as payments
from ._generated.races.v1 import live_service_pb2 as live
from ._generated.races.v1 import race_pb2 as race
from ._generated.races.v1 import race_service_pb2 as races
from ._generated.races.v1.live_service_pb2_grpc import LiveServiceStub
from ._generated.races.v1.race_service_pb2_grpc import RaceServiceStub
from ._generated.readings.v1 import reading_pb2 as readings
from ._generated.readings.v1 import reading_service_pb2 as reading_service
from ._generated.readings.v1.reading_service_pb2_grpc import ReadingServiceStub
from ._generated.sharing.v1 import access_service_pb2 as access
from ._generated.sharing.v1 import subscription_service_pb2 as sharing
from ._generated.sharing.v1.access_service_pb2_grpc import AccessServiceStub
from ._generated.sharing.v1.subscription_service_pb2_grpc import SubscriptionServiceStub
from ._generated.sos.v1 import dispatch_service_pb2 as dispatch
from ._generated.sos.v1 import emergency_pb2 as emergencies
from ._generated.sos.v1 import sos_service_pb2 as sos
from ._generated.sos.v1.dispatch_service_pb2_grpc import DispatchServiceStub
from ._generated.sos.v1.sos_service_pb2_grpc import SosServiceStub

__all__ = [
    "AccessServiceStub",
    "AdminServiceStub",
    "DispatchServiceStub",
    "ExpenditureServiceStub",
    "GroupServiceStub",
    "IdentityServiceStub",
    "IngestServiceStub",
    "LiveServiceStub",
    "NotificationServiceStub",
    "RaceServiceStub",
    "ReadingServiceStub",
    "SosServiceStub",
    "SubscriptionServiceStub",
    "access",
    "admin",
    "callers",
    "dispatch",
    "emergencies",
    "expenditure_service",
    "figures",
    "groups",
    "identity",
    "ingest",
    "live",
    "notifications",
    "payments",
    "race",
    "races",
    "reading_service",
    "readings",
    "releases",
    "sharing",
    "sos",
    "texts",
]
