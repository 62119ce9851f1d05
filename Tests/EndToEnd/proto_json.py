"""ProtoJSON of the server as a process of its own, and the messages that it is compared on with json_format."""

from __future__ import annotations

import os
import random
import struct
import subprocess
import tempfile
from pathlib import Path

import grpc_tools
from google.protobuf import any_pb2, descriptor_pb2, descriptor_pool, duration_pb2, message_factory, timestamp_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from grpc_tools import protoc

from hostile_messages import delimited
from random_messages import RandomMessages
from server_process import ROOT, binary

MAPPING = "proto_json/mapping.proto"
# What descriptor.proto declares is proto2, and no message of the API.
NOT_COMPARED = ("google/protobuf/",)


class Schema:
    """A set of .proto files, compiled, with Python's classes of all messages that it declares."""

    def __init__(self):
        protos, fixtures = ROOT / "Protos", ROOT / "Tests/fixtures"
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "set"
            files = [str(path.relative_to(protos)) for path in sorted(protos.rglob("*.proto"))]
            included = Path(grpc_tools.__file__).parent / "_proto"
            arguments = ["", f"-I{protos}", f"-I{fixtures}", f"-I{included}", "--include_imports"]
            assert protoc.main([*arguments, f"--descriptor_set_out={target}", *files, MAPPING]) == 0
            self.bytes = target.read_bytes()
        self.pool = descriptor_pool.DescriptorPool()
        descriptors = descriptor_pb2.FileDescriptorSet.FromString(self.bytes)
        for file in descriptors.file:
            self.pool.Add(file)
        # The messages that the program has built in, and those that are for tests.
        self.api = self._messages(f for f in descriptors.file if f.name != MAPPING)
        self.mapping = self._messages(f for f in descriptors.file if f.name == MAPPING)

    def _messages(self, files) -> dict[str, type]:
        found: dict[str, type] = {}

        def add(descriptor: Descriptor):
            if not descriptor.GetOptions().map_entry:
                found[descriptor.full_name] = message_factory.GetMessageClass(descriptor)
            for nested in descriptor.nested_types:
                add(nested)

        for file in files:
            if not file.name.startswith(NOT_COMPARED):
                for message in file.message_type:
                    add(self.pool.FindMessageTypeByName(f"{file.package}.{message.name}"))
        return found


class ProtoJSON:
    """`trackme-proto-json`, which stands beside the server that is tested."""

    class Refused(Exception):
        """What it says is wrong."""

    def __init__(self, schema: bytes | None = None):
        self._file = tempfile.NamedTemporaryFile()
        command = [os.environ.get("TRACKME_PROTO_JSON_BIN", str(binary().with_name("trackme-proto-json")))]
        if schema is not None:
            self._file.write(schema)
            self._file.flush()
            command.append(self._file.name)
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self) -> ProtoJSON:
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        assert self._process.wait(timeout=60) == 0
        self._file.close()

    def json(self, name: str, message: bytes) -> bytes:
        return self._ask(b"j", name, message)

    def message(self, name: str, json: bytes) -> bytes:
        return self._ask(b"p", name, json)

    def _ask(self, direction: bytes, name: str, content: bytes) -> bytes:
        blocks = b"".join(struct.pack("<I", len(block)) + block for block in (name.encode(), content))
        self._process.stdin.write(direction + blocks)
        self._process.stdin.flush()
        status, length = struct.unpack("<BI", self._process.stdout.read(5))
        answer = self._process.stdout.read(length)
        if status:
            raise self.Refused(answer.decode())
        return answer


class JSONMessages(RandomMessages):
    """Random messages that mostly have a form in JSON: times and spans within their ranges, masks that are paths,
    packed messages that are known, and seldom any text that protobuf refuses."""

    def __init__(self, rng: random.Random, packed: dict[str, type]):
        super().__init__(rng)
        self._packed = packed

    def _one(self, field: FieldDescriptor, depth: int) -> bytes:
        kind = field.message_type.full_name if field.message_type is not None else ""
        rng = self._rng
        nanos = rng.choice((0, 0, 1, 500_000_000, 1_500_000, 999_999_999, 1_000))
        if kind == "google.protobuf.Timestamp" and rng.random() < 0.99:
            seconds = rng.choice((-62_135_596_800, 253_402_300_799, -1, 0, rng.randrange(-(2**33), 2**34)))
            content = timestamp_pb2.Timestamp(seconds=seconds, nanos=nanos).SerializeToString()
        elif kind == "google.protobuf.Duration" and rng.random() < 0.99:
            sign = rng.choice((-1, 1))
            seconds = sign * rng.choice((0, 1, 315_576_000_000 - 1, rng.randrange(10**6)))
            content = duration_pb2.Duration(seconds=seconds, nanos=sign * nanos).SerializeToString()
        elif kind == "google.protobuf.FieldMask":
            paths = (b"a", b"foo_bar", b"a.b_c.d1", b"x2y_z")
            content = b"".join(delimited(1, rng.choice(paths)) for _ in range(rng.randrange(3)))
        elif kind == "google.protobuf.Any":
            name = rng.choice(list(self._packed))
            inner = self.message(self._packed[name].DESCRIPTOR, depth + 1)
            url = rng.choice((f"type.googleapis.com/{name}", f"x/{name}", f"/{name}"))
            content = any_pb2.Any(type_url=url, value=inner).SerializeToString() if rng.random() < 0.9 else b""
        else:
            return super()._one(field, depth)
        return delimited(field.number, content)

    def _value(self, field: FieldDescriptor):
        # JSON has one null, so other numbers are lost.
        is_null = field.enum_type is not None and field.enum_type.full_name == "google.protobuf.NullValue"
        return 0 if is_null else super()._value(field)

    def _text(self, name: str) -> bytes:
        text = super()._text(name)
        # One text that is none would be refused with all that stands around it.
        if self._rng.random() < 0.999 and (b"\0" in text or not _is_utf8(text)):
            return b"plain \xe2\x82\xac text"
        return text


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
