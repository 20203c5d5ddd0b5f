"""The Swift side of a family: messages and enums as values, and how they cross to C and back."""

from generator.contract import doc

NOTICE = "// Made by tools/generate from proto/{name}. Do not edit.\n"


def values(file):
    """The structs and enums of one .proto file."""
    parts = [enumeration(enum) for enum in file.enums]
    parts += [structure(message) for message in file.messages]
    imports = "\npackage import Model\n" if any(
        field.kind == "id" for message in file.messages for field in message.fields) else ""
    return NOTICE.format(name=file.name) + imports + "\n" + "\n".join(parts)


def enumeration(enum):
    text = doc(enum.comment or f"`{enum.name}` of the contract.")
    text += f"package enum {enum.name}: Int32, CaseIterable, Sendable {{\n"
    for name, number, comment in enum.cases:
        text += doc(comment, 2) + f"  case {name} = {number}\n"
    return text + "}\n"


def parameters(message):
    """(name, type, default, comment) of each stored property."""
    found = []
    for member, choices in message.members():
        if choices:
            found.append((member, f"{member.capitalize()}?", "nil", ""))
        else:
            found.append((member.swift, member.type, member.default, member.comment))
    if message.own_violations:
        found.append(("violations", "[FieldViolation]", "[]",
                      "What is wrong with the form of this one, which is its own outcome. "
                      "Not sent."))
    return found


def structure(message):
    text = doc(message.comment) + f"package struct {message.name}: Equatable, Sendable {{\n"
    for member, choices in message.members():
        if choices:
            text += f"  /// The one of `{member}` that is set.\n"
            text += f"  package enum {member.capitalize()}: Equatable, Sendable {{\n"
            for field in choices:
                text += doc(field.comment, 4) + f"    case {field.swift}({field.element})\n"
            text += "  }\n\n"
    found = parameters(message)
    for name, type_, _, comment in found:
        text += doc(comment, 2) + f"  package var {name}: {type_}\n"
    if not found:
        return text + "  package init() {}\n}\n"
    arguments = ",\n".join(f"    {name}: {type_} = {default}" for name, type_, default, _ in found)
    text += f"\n  package init(\n{arguments}\n  ) {{\n"
    text += "".join(f"    self.{name} = {name}\n" for name, _, _, _ in found)
    return text + "  }\n}\n"


def codecs(file):
    """How the messages of one .proto file are read from C structs and written to them."""
    text = NOTICE.format(name=file.name) + "\nimport CMessages\nimport Model\n"
    for message in file.messages:
        text += f"\nextension {message.name}: Message {{\n"
        text += f'  package static var name: String {{ "muster.v1.{message.name}" }}\n\n'
        text += "  package static var descriptor: UnsafeRawPointer {\n"
        text += f"    UnsafeRawPointer(muster_{message.c_name[12:]}_descriptor())\n  }}\n\n"
        text += reading(message) + "\n" + writing(message) + "}\n"
    return text


def reading(message):
    text = "  package init(reading raw: UnsafeRawPointer, _ reader: Reader) {\n"
    if not message.fields:
        return text + "    self.init()\n  }\n"
    text += f"    let c = raw.assumingMemoryBound(to: {message.c_type}.self)\n"
    arguments = []
    for member, choices in message.members():
        if choices:
            text += read_oneof(message, member, choices)
            arguments.append(f"      {member}: {member}")
        else:
            arguments.append(f"      {member.swift}: {read(member)}")
    if message.own_violations:
        text += "    let others = reader.setViolationsAside()\n"
    text += "    self.init(\n" + ",\n".join(arguments) + "\n    )\n"
    if message.own_violations:
        text += "    violations = reader.takeViolations(restoring: others)\n"
    return text + "  }\n"


def read(field):
    value, name = f"c.pointee.{field.name}", f'"{field.name}"'
    if field.repeated:
        function = {"text": "texts", "id": "ids", "message": "messages"}[field.kind]
        return f"reader.{function}(c.pointee.n_{field.name}, {value}, {name})"
    if field.kind == "scalar":
        return f"{value} != 0" if field.element == "Bool" else value
    if field.kind == "enum":
        return f"reader.enumeration({value}.rawValue, {name}) ?? {field.unknown}"
    if field.line_breaks:
        return f"reader.text({value}, {name}, lineBreaks: true)"
    return f"reader.{field.kind}({value}, {name})"


def choice_constant(message, oneof, field):
    return f"{message.c_name.upper()}__{oneof.upper()}_{field.name.upper()}"


def read_oneof(message, oneof, choices):
    text = f"    let {oneof}: {oneof.capitalize()}?\n    switch c.pointee.{oneof}_case {{\n"
    for field in choices:
        text += f"    case {choice_constant(message, oneof, field)}:\n"
        if field.kind == "id":
            value = f'reader.elementID(c.pointee.{field.name}, "{field.name}")'
        else:
            value = read(field)
        if field.kind in ("id", "message"):
            text += f"      {oneof} = {value}.map {{ .{field.swift}($0) }}\n"
        else:
            text += f"      {oneof} = .{field.swift}({value})\n"
    return text + f"    default:\n      {oneof} = nil\n    }}\n"


def writing(message):
    text = "  package func write(into arena: Arena) -> UnsafeMutableRawPointer {\n"
    text += f"    let c = arena.make({message.c_type}.self)\n    {message.c_name}__init(c)\n"
    for member, choices in message.members():
        if choices:
            text += f"    switch {member} {{\n    case nil: break\n"
            for field in choices:
                text += f"    case .{field.swift}(let value):\n"
                text += f"      c.pointee.{member}_case = "
                text += f"{choice_constant(message, member, field)}\n"
                text += f"      c.pointee.{field.name} = {written(field, 'value')}\n"
            text += "    }\n"
            continue
        if member.repeated:
            text += f"    c.pointee.n_{member.name} = {member.swift}.count\n"
        text += f"    c.pointee.{member.name} = {written(member, member.swift)}\n"
    return text + "    return UnsafeMutableRawPointer(c)\n  }\n"


def written(field, value):
    if field.repeated:
        function = {"text": "texts", "id": "ids", "message": "messages"}[field.kind]
        return f"arena.{function}({value})"
    if field.kind in ("scalar", "finite"):
        return f"{value} ? 1 : 0" if field.element == "Bool" else value
    if field.kind == "enum":
        return f".init(rawValue: UInt32(bitPattern: {value}.rawValue))"
    function = {"hash": "bytes"}.get(field.kind, field.kind)
    return f"arena.{function}({value})"


