"""The C side: protobuf-c's code with texts as bytes, and the few things Swift cannot reach."""

import textwrap

from google.protobuf import descriptor_pb2

from generator.contract import snake

# protobuf-c's own field option: `[(pb_c_field).string_as_bytes = true]`, field 1019 of
# FieldOptions. A `string` of protobuf-c ends at an embedded NUL, so that two different names can
# become one.
STRING_AS_BYTES = bytes([0xDA, 0x3F, 0x02, 0x08, 0x01])

NOTICE = "/* Made by tools/generate from proto/. Do not edit. */\n"

MODULE_MAP = """module CMessages {
  header "CMessages.h"
  link "protobuf-c"
  export *
}
"""


def with_texts_as_bytes(files):
    """A copy that has the option on every text, and no services: their C code is not called."""
    changed = descriptor_pb2.FileDescriptorSet()
    changed.CopyFrom(files)
    for file in changed.file:
        del file.service[:]
        kept = [where for where in file.source_code_info.location if where.path[:1] != [6]]
        del file.source_code_info.location[:]
        file.source_code_info.location.extend(kept)
        for message in file.message_type:
            for field in message.field:
                if field.type == field.TYPE_STRING:
                    field.options.MergeFromString(STRING_AS_BYTES)
    return changed


def message_names(files):
    return sorted(message.name for file in files.file for message in file.message_type)


def header(files):
    """What Swift imports: all, and each descriptor by a function, as Swift copies globals."""
    includes = "".join(f'#include "{file.name.removesuffix(".proto")}.pb-c.h"\n'
                       for file in sorted(files.file, key=lambda file: file.name))
    functions = "".join(
        "static inline const ProtobufCMessageDescriptor "
        f"*muster_{snake(name)}_descriptor(void) {{\n"
        f"  return &muster__v1__{snake(name)}__descriptor;\n}}\n"
        for name in message_names(files))
    return (
        NOTICE + "#ifndef MUSTER_CMESSAGES_H\n#define MUSTER_CMESSAGES_H\n\n#include <stddef.h>\n"
        + includes
        + "\n/* The descriptor of every message, by name; NULL from the end on. */\n"
        + "const ProtobufCMessageDescriptor *muster_message(size_t index);\n"
        + "\n/* A serialized google.protobuf.FileDescriptorSet of the contract. */\n"
        + "const uint8_t *muster_file_descriptor_set(size_t *size);\n"
        + "\n/* Swift may copy a global when its address is asked for; "
        + "functions give the real one. */\n"
        + functions + "\n#endif\n")


def table(files):
    names = message_names(files)
    rows = "".join(f"    &muster__v1__{snake(name)}__descriptor,\n" for name in names)
    return (
        NOTICE + '#include "CMessages.h"\n\n'
        + "static const ProtobufCMessageDescriptor *const messages[] = {\n" + rows + "};\n\n"
        + "const ProtobufCMessageDescriptor *muster_message(size_t index) {\n"
        + "  return index < sizeof messages / sizeof messages[0] ? messages[index] : NULL;\n}\n")


def descriptor_set(files):
    """The set without comments: what a program needs to make messages of its own."""
    bare = descriptor_pb2.FileDescriptorSet()
    bare.CopyFrom(files)
    for file in bare.file:
        file.ClearField("source_code_info")
    data = bare.SerializeToString(deterministic=True)
    rows = textwrap.fill(", ".join(str(byte) for byte in data), 96,
                         initial_indent="    ", subsequent_indent="    ")
    return (
        NOTICE + '#include "CMessages.h"\n\n'
        + "static const uint8_t set[] = {\n" + rows + "\n};\n\n"
        + "const uint8_t *muster_file_descriptor_set(size_t *size) {\n"
        + "  *size = sizeof set;\n  return set;\n}\n")
