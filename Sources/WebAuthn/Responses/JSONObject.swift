import Bytes

/// The members of a JSON object from outside.
enum JSONObject {
    static func members(of bytes: [UInt8]) throws(WebAuthnRefusal) -> [String: JSONValue] {
        let value: JSONValue
        do { value = try JSONParser.parse(bytes) } catch { throw .malformed }
        guard case .object(let members) = value else { throw .malformed }
        return members
    }
}

extension [String: JSONValue] {
    /// The bytes a base64url string stands for.
    func bytes(_ name: String) throws(WebAuthnRefusal) -> [UInt8] {
        guard case .string(let text) = self[name], let bytes = Base64URL.decode(text) else { throw .malformed }
        return bytes
    }
}
