"""The contract as the generators see it: files, messages, fields, Swift names and comments."""

import re
import textwrap

from google.protobuf import descriptor_pb2

Field = descriptor_pb2.FieldDescriptorProto

# Written by hand in Sources/Wire, because they must not allocate: the envelope of every call.
HANDWRITTEN = {"RequestHeader", "ResponseHeader"}

# What is wrong with the form of one of these is its own outcome, not the whole request's.
OWN_VIOLATIONS = {"BatchCheckInItem"}

# Bytes that are neither an id nor the SHA-256 of an image.
PLAIN_BYTES = {"image", "file_descriptor_set"}

ACRONYMS = {"id": "ID", "ids": "IDs", "url": "URL"}

SCALARS = {
    Field.TYPE_UINT32: ("UInt32", "0"),
    Field.TYPE_UINT64: ("UInt64", "0"),
    Field.TYPE_INT64: ("Int64", "0"),
    Field.TYPE_DOUBLE: ("Double", "0"),
    Field.TYPE_BOOL: ("Bool", "false"),
}


def camel(name, first_upper=False):
    """`website_url` as Swift spells it: `websiteURL`."""
    words = name.lower().split("_")
    rest = [ACRONYMS.get(word, word.capitalize()) for word in words[1:]]
    first = words[0].capitalize() if first_upper else words[0]
    return first + "".join(rest)


def snake(name):
    """`CheckInChange` as protobuf-c spells it: `check_in_change`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def escaped(name):
    """A Swift identifier, in backticks where it is a word of the language."""
    return f"`{name}`" if name in {"internal", "case", "default", "in", "where"} else name


def doc(comment, indent=0):
    """A proto comment as Swift's doc comment, within 100 columns."""
    lines = []
    for paragraph in re.split(r"\n\s*\n", comment.strip()):
        words = " ".join(paragraph.split())
        if lines:
            lines.append("///")
        lines += ["/// " + line for line in textwrap.wrap(words, 96 - indent)]
    return "".join(" " * indent + line + "\n" for line in lines)


class FieldInfo:
    """One field: its kind says how it is read, written and shown."""

    def __init__(self, message, field, comment):
        self.message = message
        self.name = field.name
        self.swift = escaped(camel(field.name))
        self.comment = comment
        self.repeated = field.label == Field.LABEL_REPEATED
        self.oneof = field.oneof_index if field.HasField("oneof_index") else None
        self.scalar = SCALARS.get(field.type)
        self.type_name = field.type_name.rsplit(".", 1)[-1]
        self.line_breaks = "line breaks" in comment
        self.kind = self.kind_of(field)
        assert not (self.scalar and self.repeated), f"no repeated scalars yet: {self.path}"

    @property
    def path(self):
        return f"{self.message}.{self.name}"

    def kind_of(self, field):
        if field.type == Field.TYPE_STRING:
            return "text"
        if field.type == Field.TYPE_MESSAGE:
            return "message"
        if field.type == Field.TYPE_ENUM:
            return "enum"
        if field.type == Field.TYPE_DOUBLE:
            must_be_finite = self.message == "GeoPoint" or self.name == "radius_m"
            return "finite" if must_be_finite else "scalar"
        if field.type != Field.TYPE_BYTES:
            return "scalar"
        if self.name in PLAIN_BYTES:
            return "bytes"
        return "hash" if self.name.endswith(("avatar_id", "image_id")) else "id"

    @property
    def element(self):
        """The Swift type of one value, where there is one."""
        named = {"text": "String", "id": "ID", "hash": "[UInt8]", "bytes": "[UInt8]"}
        if self.scalar:
            return self.scalar[0]
        return named.get(self.kind, self.type_name)

    @property
    def type(self):
        if self.repeated:
            return f"[{self.element}]"
        return self.element + ("?" if self.kind in ("id", "message") else "")

    @property
    def default(self):
        if self.scalar:
            return self.scalar[1]
        if self.repeated or self.kind in ("hash", "bytes"):
            return "[]"
        if self.kind == "enum":
            return ".ok" if self.type_name == "Code" else ".unspecified"
        return '""' if self.kind == "text" else "nil"

    @property
    def unknown(self):
        """What an enum's value becomes that this version does not know; a failure stays one."""
        return ".unknown" if self.type_name == "Code" else ".unspecified"


class MessageInfo:
    """One message, and what C calls it."""

    def __init__(self, message, comment, field_comments):
        self.name = message.name
        self.comment = comment
        self.fields = [FieldInfo(message.name, field, field_comments[index])
                       for index, field in enumerate(message.field)]
        self.oneofs = [oneof.name for oneof in message.oneof_decl]
        self.c_type = f"Muster__V1__{message.name}"
        self.c_name = f"muster__v1__{snake(message.name)}"
        self.own_violations = message.name in OWN_VIOLATIONS
        assert not message.nested_type and not message.enum_type, f"nested types in {self.name}"

    def members(self):
        """Fields and oneofs in the file's order: (field, None), or (oneof's name, its fields)."""
        seen = set()
        for field in self.fields:
            if field.oneof is None:
                yield field, None
            elif field.oneof not in seen:
                seen.add(field.oneof)
                yield self.oneofs[field.oneof], [f for f in self.fields if f.oneof == field.oneof]


class EnumInfo:
    """One enum: its cases without the prefix that proto3 asks for."""

    def __init__(self, enum, comment, value_comments):
        self.name = enum.name
        self.comment = comment
        prefix = snake(enum.name).upper() + "_"
        self.cases = [(escaped(camel(value.name.removeprefix(prefix))), value.number,
                       value_comments[index]) for index, value in enumerate(enum.value)]


class MethodInfo:
    """One method of a service."""

    def __init__(self, service, method, comment):
        self.service = service
        self.name = method.name
        self.swift = camel(snake(method.name))
        self.full_name = f"muster.v1.{service}/{method.name}"
        self.request = method.input_type.rsplit(".", 1)[-1]
        self.response = method.output_type.rsplit(".", 1)[-1]
        self.streams = method.server_streaming
        self.comment = comment


class FileInfo:
    """One .proto file, which makes a family of messages."""

    def __init__(self, file):
        stem = file.name.rsplit("/", 1)[-1].removesuffix(".proto")
        self.name = file.name
        self.family = "".join(word.capitalize() for word in stem.split("_"))
        comments = {tuple(location.path): location.leading_comments
                    for location in file.source_code_info.location}

        def under(path, count):
            return [comments.get((*path, index), "") for index in range(count)]

        self.messages = [
            MessageInfo(message, comments.get((4, n), ""), under((4, n, 2), len(message.field)))
            for n, message in enumerate(file.message_type) if message.name not in HANDWRITTEN]
        self.enums = [EnumInfo(enum, comments.get((5, n), ""), under((5, n, 2), len(enum.value)))
                      for n, enum in enumerate(file.enum_type)]
        self.services = [
            (service.name, comments.get((6, n), ""),
             [MethodInfo(service.name, method, comments.get((6, n, 2, m), ""))
              for m, method in enumerate(service.method)])
            for n, service in enumerate(file.service)]


class Contract:
    """All files of the contract."""

    def __init__(self, files):
        self.files = [FileInfo(file) for file in sorted(files.file, key=lambda file: file.name)]
        self.services = [service for file in self.files for service in file.services]
        self.methods = [method for _, _, methods in self.services for method in methods]
        for file in self.files:
            for message in file.messages:
                message.comment = message.comment or self.described(message.name)

    def described(self, name):
        """A sentence for a message that has no comment of its own."""
        for method in self.methods:
            if name in (method.request, method.response):
                side = "request" if name == method.request else "response"
                return f"The {side} of `{method.service}/{method.name}`."
        return f"`{name}` of the contract."
