"""The Swift side of the whole contract: its methods, and what no descriptor of protobuf-c says."""

import textwrap

from generator.contract import doc

NOTICE = "// Made by tools/generate from proto/. Do not edit.\n"


def property_of_cases(comment, name, type_, rows):
    """A computed property that is a table: one case, one value."""
    text = doc(comment, 2) + f"  package var {name}: {type_} {{\n    switch self {{\n"
    text += "".join(f"    case .{case}: {value}\n" for case, value in rows)
    return text + "    }\n  }\n"


def methods(contract):
    """The enums `ServiceName` and `Method`."""
    text = NOTICE + "\n/// The services of the contract.\n"
    text += "package enum ServiceName: String, CaseIterable, Sendable {\n"
    for name, comment, _ in contract.services:
        text += doc(comment, 2)
        text += f'  case {lower_first(name.removesuffix("Service"))} = "muster.v1.{name}"\n'
    text += "}\n\n/// The methods of the contract.\n"
    text += "package enum Method: UInt8, CaseIterable, Sendable {\n"
    for method in contract.methods:
        text += doc(method.comment, 2) + f"  case {method.swift}\n"
    text += "}\n\nextension Method {\n"
    text += property_of_cases(
        'Its name in a header, for example "muster.v1.CheckInService/CheckIn".',
        "fullName", "String",
        [(method.swift, f'"{method.full_name}"') for method in contract.methods])
    text += "\n" + property_of_cases(
        "The service that it belongs to.", "service", "ServiceName",
        [(method.swift, "." + lower_first(method.service.removesuffix("Service")))
         for method in contract.methods])
    text += "\n" + property_of_cases(
        "The type of its request's body and of its responses' bodies.", "types",
        "(request: any Message.Type, response: any Message.Type)",
        [(method.swift, f"({method.request}.self, {method.response}.self)")
         for method in contract.methods])
    streams = " || ".join(
        f"self == .{method.swift}" for method in contract.methods if method.streams)
    text += "\n  /// Whether a call has a stream of responses.\n"
    return text + f"  package var streams: Bool {{ {streams} }}\n}}\n"


def requests(contract):
    """Each request's method and response, for calls that the compiler checks."""
    text = NOTICE
    for method in contract.methods:
        text += f"\nextension {method.request}: Request {{\n"
        text += f"  package typealias Response = {method.response}\n"
        text += f"  package static var method: Method {{ .{method.swift} }}\n}}\n"
    return text


def field_kinds(contract):
    """Which of the fields that C has as bytes are texts, and which are ids; headers too."""
    kinds = {"text": ["RequestHeader.method", "RequestHeader.acting_user",
                      "RequestHeader.acting_roles"],
             "id": ["RequestHeader.idempotency_key", "RequestHeader.trace_id"]}
    for file in contract.files:
        for message in file.messages:
            for field in message.fields:
                kinds.get(field.kind, []).append(field.path)
    text = NOTICE + "\n/// What protobuf-c's descriptors call bytes, and the contract does not.\n"
    text += "enum FieldKinds {\n"
    for kind, comment in [("text", "Fields that are texts."), ("id", "Fields that are ids.")]:
        text += f"  /// {comment}\n  static let {kind}s: Set<String> = [\n"
        text += "".join(f'    "{path}",\n' for path in sorted(kinds[kind])) + "  ]\n"
    return text + "}\n"


def comments(contract):
    """What the contract says, by the short name of what it says it about."""
    said = {}
    for file in contract.files:
        for message in file.messages:
            said |= {field.path: field.comment for field in message.fields}
        for _, _, methods_ in file.services:
            said |= {method.full_name: method.comment for method in methods_}
    text = NOTICE + "\n/// The contract's comments, for those who ask on the command line.\n"
    text += "enum Comments {\n"
    text += "  /// By field, for example \"Profile.bio\", or by a method's full name.\n"
    text += "  static let all: [String: String] = [\n"
    for name, comment in sorted(said.items()):
        if comment:
            words = textwrap.wrap(" ".join(comment.split()).replace('"', '\\"'), 88)
            text += f'    "{name}":\n      """\n'
            text += "".join(f"      {line} \\\n" for line in words[:-1]) + f"      {words[-1]}\n"
            text += '      """,\n'
    return text + "  ]\n}\n"


def lower_first(name):
    return name[0].lower() + name[1:]
