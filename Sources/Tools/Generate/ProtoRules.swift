/// What a .proto file must not do, because protobuf-c cannot carry it safely, or because nobody could say who may call.
/// Each finding is one sentence that names the place and the way out.
func violations(in files: [ProtoFile]) -> [String] {
  var found: [String] = []
  for file in files {
    if !file.isProto3 { found.append("\(file.name): only proto3 files are supported.") }
    for message in file.messages {
      for field in message.fields {
        let place = "\(file.name): \(message.fullName).\(field.name)"
        if field.isProto3Optional {
          found.append("\(place) is proto3 `optional`, which protoc-c refuses; use a oneof with this one field.")
        }
        if field.kind == .group { found.append("\(place) is a group; use a message.") }
      }
    }
    for enumeration in file.enums where Set(enumeration.values.map(\.number)).count != enumeration.values.count {
      found.append("\(file.name): \(enumeration.fullName) has two names for one number; keep one of them.")
    }
    for service in file.services where !openServices.contains(service.fullName) {
      for method in service.methods where method.callers.isEmpty {
        found.append(
          "\(file.name): \(service.fullName).\(method.name) names no callers; give it the option "
            + "trackme.options.v1.callers.")
      }
    }
  }
  for cycle in recursiveMessages(in: files) {
    found.append("\(cycle) contains itself; protobuf-c has no limit on nesting, so a message can crash the process.")
  }
  return found
}

/// The full names of the messages that can hold a message of their own type, at any depth.
private func recursiveMessages(in files: [ProtoFile]) -> [String] {
  var parts: [String: [String]] = [:]
  for message in files.flatMap(\.messages) {
    parts[message.fullName] = message.fields.compactMap { field in
      if case .message(let name) = field.kind { name } else { nil }
    }
  }
  return parts.keys.sorted().filter { start in
    var seen: Set<String> = []
    var pending = parts[start] ?? []
    while let next = pending.popLast() {
      if next == start { return true }
      if seen.insert(next).inserted { pending += parts[next] ?? [] }
    }
    return false
  }
}
