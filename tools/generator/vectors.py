"""Messages as Google's own protobuf writes them, with the JSON that the contract makes of them.

The tests hold these against Swift's codec, and fuzzing starts from them.
"""

import base64
import json
import uuid

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from generator.contract import FieldInfo

# What the form of a field asks for beyond its type.
TEXTS = {
    "RequestHeader.method": "muster.v1.CheckInService/CheckIn",
}
# A set on the other side: each role once, in the order of their rights.
ROLES = ["display", "user", "staff", "admin"]
NUMBERS = {"RequestHeader.timeout_ms": 300_000}


class Filler:
    """Fills messages with values that differ from field to field, and tells them as JSON."""

    def __init__(self, choice):
        self.choice = choice
        self.count = 0

    def fill(self, message):
        """Sets every field by number, of each oneof the one that `choice` picks; gives the JSON."""
        shown = {}
        for field in sorted(message.DESCRIPTOR.fields, key=lambda field: field.number):
            oneof = field.containing_oneof
            chosen = oneof is None or oneof.fields[self.choice % len(oneof.fields)] is field
            if not chosen:
                shown[field.name] = None
            elif field.label == field.LABEL_REPEATED:
                shown[field.name] = [self.add(field, getattr(message, field.name))
                                     for _ in range(2)]
            elif field.message_type:
                part = getattr(message, field.name)
                part.SetInParent()
                shown[field.name] = self.fill(part)
            else:
                value, shown[field.name] = self.value(field)
                setattr(message, field.name, value)
        return shown

    def add(self, field, values):
        if field.message_type:
            return self.fill(values.add())
        value, shown = self.value(field)
        values.append(value)
        return shown

    def value(self, field):
        """A value that is not empty, and how JSON shows it."""
        self.count += 1
        path = f"{field.containing_type.name}.{field.name}"
        if field.type == field.TYPE_STRING:
            if field.name == "acting_roles":
                role = ROLES[self.count % 2 + 1]
                return role, role
            text = TEXTS.get(path, f"Zoë {self.count} 한글 👨‍👩‍👧 \"\\")
            return text, text
        if field.type == field.TYPE_BYTES:
            return self.data(field)
        if field.type == field.TYPE_ENUM:
            value = field.enum_type.values[1 + self.count % (len(field.enum_type.values) - 1)]
            return value.number, value.name
        if field.type == field.TYPE_BOOL:
            return True, True
        if field.type == field.TYPE_DOUBLE:
            return self.count + 0.5, self.count + 0.5
        number = NUMBERS.get(path) or {
            field.TYPE_UINT32: 2**32 - self.count, field.TYPE_INT64: self.count - 2**40,
            field.TYPE_UINT64: 2**53 - self.count}[field.type]
        return number, number

    def data(self, field):
        proto = descriptor_pb2.FieldDescriptorProto(name=field.name, type=field.type)
        kind = FieldInfo(field.containing_type.name, proto, "").kind
        length = {"id": 16, "hash": 32}.get(kind, 5)
        data = bytes((self.count + 16 * index) % 256 for index in range(length))
        shown = str(uuid.UUID(bytes=data)) if kind == "id" else base64.b64encode(data).decode()
        return data, shown


def table(files):
    """One line a message: its name, its bytes in base64, its JSON."""
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    lines = ["# Made by tools/generate from proto/. Do not edit. Name, bytes, JSON.\n"]
    for file in sorted(files.file, key=lambda file: file.name):
        for name in sorted(message.name for message in file.message_type):
            descriptor = pool.FindMessageTypeByName(f"muster.v1.{name}")
            made = set()
            for choice in range(5):
                message = message_factory.MessageFactory(pool).GetPrototype(descriptor)()
                shown = Filler(choice).fill(message)
                data = base64.b64encode(message.SerializeToString(deterministic=True)).decode()
                if data not in made:
                    made.add(data)
                    text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
                    lines.append(f"muster.v1.{name}\t{data}\t{text}\n")
    return "".join(lines)
