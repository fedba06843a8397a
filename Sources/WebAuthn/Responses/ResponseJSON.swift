import Bytes

/// What `RegistrationResponseJSON` and `AuthenticationResponseJSON` (WebAuthn section 5.1) share.
struct ResponseJSON {
    static let bytesAtMost = 65_536

    let id: CredentialID
    let clientData: ClientData
    /// The members of `response`.
    let members: [String: JSONValue]

    init(_ json: [UInt8]) throws(WebAuthnRefusal) {
        guard json.count <= Self.bytesAtMost else { throw .tooLarge }
        let outer = try JSONObject.members(of: json)
        guard case .string(let type) = outer["type"], type.isExactly("public-key"),
            case .object(let members) = outer["response"]
        else { throw .malformed }
        let rawID = try outer.bytes("rawId")
        guard try outer.bytes("id") == rawID else { throw .wrongCredential }
        guard let id = CredentialID(bytes: rawID) else { throw .malformed }
        self.id = id
        self.members = members
        clientData = try ClientData(members.bytes("clientDataJSON"))
    }
}
