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

    /// Reads a line. Throws why it is none.
    init(_ bytes: [UInt8]) throws(ImportRefusal) {
        let members = try Self.members(bytes)
        if let unknown = members.keys.filter({ !Self.keys.contains($0) }).min() { throw .unknownKey(unknown) }
        address = try Self.text("address", members)
        name = try Self.text("name", members)
        verified = try Self.flag("verified", members)
        hash = try Self.text("hash", members)
        totp = try Self.text("totp", members)
        recoveryCodes = try Self.texts("recovery_codes", members)
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

    private static func text(_ key: String, _ members: [String: JSONValue]) throws(ImportRefusal) -> String? {
        switch members[key] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw .wrongType(key: key, wanted: "a text")
        }
    }

    private static func texts(_ key: String, _ members: [String: JSONValue]) throws(ImportRefusal) -> [String]? {
        let values: [JSONValue]
        switch members[key] {
        case nil, .null: return nil
        case .array(let array): values = array
        default: throw .wrongType(key: key, wanted: "a list of texts")
        }
        return try values.map { value throws(ImportRefusal) in
            guard case .string(let text) = value else { throw .wrongType(key: key, wanted: "a list of texts") }
            return text
        }
    }

    private static func flag(_ key: String, _ members: [String: JSONValue]) throws(ImportRefusal) -> Bool? {
        switch members[key] {
        case nil, .null: return nil
        case .bool(let flag): return flag
        default: throw .wrongType(key: key, wanted: "true or false")
        }
    }
}
