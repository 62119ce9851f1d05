from trackme._generated.expenditure.v1 import figures_pb2 as _figures_pb2
from trackme._generated.expenditure.v1 import releases_pb2 as _releases_pb2
from trackme._generated.expenditure.v1 import texts_pb2 as _texts_pb2
from trackme._generated.options.v1 import callers_pb2 as _callers_pb2
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor
