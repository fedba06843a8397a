import Essentials

/// One line of an import as written: a JSON object with these keys and no others, none of them
/// twice.
struct ImportLine {
    let address: String?
    let name: String?
    let verified: Bool?
    let hash: String?
    let totp: String?
    let recoveryCodes: [String]?

    private static let keys: Set = ["address", "name", "verified", "hash", "totp", "recovery_codes"]

    init(_ bytes: [UInt8]) throws(ImportRefusal) {
        let members = try Self.members(bytes)
        if let unknown = members.keys.filter({ !Self.keys.contains($0) }).min() { throw .unknownKey(unknown) }
        address = try Self.text("address", members)
        name = try Self.text("name", members)
        verified = try Self.member("verified", "true or false", members) { value in
            if case .bool(let flag) = value { flag } else { nil }
        }
        hash = try Self.text("hash", members)
        totp = try Self.text("totp", members)
        recoveryCodes = try Self.member("recovery_codes", "a list of texts", members, Self.strings)
    }

    private static func members(_ bytes: [UInt8]) throws(ImportRefusal) -> [String: JSONValue] {
        // A JSON text may not hold NUL; with it this is likely UTF-16.
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else { throw .notUTF8 }
        let value: JSONValue
        do throws(JSONParser.Fault) {
            value = try JSONParser.parse(bytes)
        } catch {
            throw error.repeatedName.map(ImportRefusal.repeatedKey) ?? .notJSON
        }
        guard case .object(let members) = value else { throw .notJSON }
        return members
    }

    /// What `read` makes of a member; nil without one. Throws for a member of another type.
    private static func member<Value>(
        _ key: String, _ wanted: String, _ members: [String: JSONValue], _ read: (JSONValue) -> Value?
    ) throws(ImportRefusal) -> Value? {
        guard let member = members[key], member != .null else { return nil }
        guard let value = read(member) else { throw .wrongType(key: key, wanted: wanted) }
        return value
    }

    private static func text(_ key: String, _ members: [String: JSONValue]) throws(ImportRefusal) -> String? {
        try member(key, "a text", members, string)
    }

    private static func string(_ value: JSONValue) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    private static func strings(_ value: JSONValue) -> [String]? {
        guard case .array(let values) = value else { return nil }
        let texts = values.compactMap(string)
        return texts.count == values.count ? texts : nil
    }
}
