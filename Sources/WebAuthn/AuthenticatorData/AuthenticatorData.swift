/// What an authenticator says (WebAuthn section 6.1), read strictly: nothing may follow.
struct AuthenticatorData {
    /// The credential that it has just made.
    struct Attested {
        let aaguid: [UInt8]
        let id: [UInt8]
        /// The COSE key (RFC 9052 section 7).
        let key: CBORItem
    }

    let bytes: [UInt8]
    /// As if there were no extensions.
    let bytesWithoutExtensions: [UInt8]
    let relyingPartyHash: [UInt8]
    let isUserPresent: Bool
    let isUserVerified: Bool
    let isBackupEligible: Bool
    let isBackedUp: Bool
    let signatureCount: UInt32
    let attested: Attested?
    let extensions: CBORItem?

    private static let fixedCount = 37

    init(_ bytes: [UInt8]) throws(WebAuthnRefusal) {
        guard bytes.count >= Self.fixedCount else { throw .malformed }
        self.bytes = bytes
        relyingPartyHash = Array(bytes[..<32])
        let flags = bytes[32]
        isUserPresent = flags & 0x01 != 0
        isUserVerified = flags & 0x04 != 0
        isBackupEligible = flags & 0x08 != 0
        isBackedUp = flags & 0x10 != 0
        signatureCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var rest = bytes[Self.fixedCount...]
        attested = flags & 0x40 == 0 ? nil : try Self.attested(from: &rest)
        bytesWithoutExtensions = bytes[..<32] + [flags & 0x7F] + bytes[33..<rest.startIndex]
        extensions = flags & 0x80 == 0 ? nil : try Self.map(from: &rest)
        guard rest.isEmpty else { throw .malformed }
    }

    /// Whether the extensions have an output of that name.
    func hasExtension(_ name: String) -> Bool { extensions?[name] != nil }

    private static func attested(from rest: inout ArraySlice<UInt8>) throws(WebAuthnRefusal) -> Attested {
        guard rest.count >= 18 else { throw .malformed }
        let aaguid = Array(rest.prefix(16))
        let idCount = rest.dropFirst(16).prefix(2).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(18)
        guard rest.count >= idCount else { throw .malformed }
        let id = Array(rest.prefix(idCount))
        rest = rest.dropFirst(idCount)
        return Attested(aaguid: aaguid, id: id, key: try map(from: &rest))
    }

    private static func map(from rest: inout ArraySlice<UInt8>) throws(WebAuthnRefusal) -> CBORItem {
        var reader = CBORReader(rest)
        let item = try reader.item()
        guard case .map = item else { throw .malformed }
        rest = rest[reader.position...]
        return item
    }
}
