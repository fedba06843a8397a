import Bytes

/// What all hashes of a Firebase project share: its "password hash parameters".
package struct FirebaseProject: Sendable {
    let parameters: ScryptParameters
    let saltSeparator: [UInt8]
    let signerKey: [UInt8]

    init(memoryCost: Int, rounds: Int, saltSeparator: [UInt8], signerKey: [UInt8]) throws(ImportedHashRefusal) {
        guard saltSeparator.count <= 16, (32...64).contains(signerKey.count) else { throw .malformed("Firebase") }
        parameters = ScryptParameters(log2Cost: memoryCost, blockSize: rounds, lanes: 1)
        try parameters.check()
        (self.saltSeparator, self.signerKey) = (saltSeparator, signerKey)
    }

    /// The parameters as the console shows them, both texts in base64.
    package init(
        memoryCost: Int, rounds: Int, saltSeparator: String, signerKey: String
    ) throws(ImportedHashRefusal) {
        guard let separator = Base64.padded.decode(saltSeparator[...]),
            let key = Base64.padded.decode(signerKey[...])
        else { throw .malformed("Firebase") }
        try self.init(memoryCost: memoryCost, rounds: rounds, saltSeparator: separator, signerKey: key)
    }

    /// The whole form of an exported `$fbscrypt$salt$hash`, in the standard alphabet of base64
    /// (`auth:export`) or the URL-safe one (Admin SDK); `nil` for any other text.
    package func complete(_ exported: String) -> String? {
        guard Self.isExported(exported), let rest = exported.after(Self.prefix) else { return nil }
        let (separator, key) = (Base64.padded.encode(saltSeparator), Base64.padded.encode(signerKey))
        return "\(Self.prefix)v=1,n=\(parameters.log2Cost),r=\(parameters.blockSize),p=1,ss=\(separator),sk=\(key)$"
            + Base64.swapping(Base64.swapping(rest, "-", "+"), "_", "/")
    }

    /// Whether it is a salt and a hash without what the project's hashes share.
    package static func isExported(_ text: String) -> Bool {
        text.begins(with: prefix) && text.utf8.count { $0 == UInt8(ascii: "$") } == 3
    }

    private static let prefix = "$fbscrypt$"
}
