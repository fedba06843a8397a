/// A hash as stored: our own is a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$tag`; an imported one is kept in the form
/// it came in until the first right password.
package struct PasswordHash: Secret, Sendable, Equatable {
    package let phc: String

    package init(phc: String) {
        self.phc = phc
    }

    package init(_ parts: PasswordHashParts) {
        phc = parts.phc
    }

    /// Its parameters, salt and tag; `nil` when the string is malformed or is no Argon2id of version 19.
    package var parts: PasswordHashParts? { PasswordHashParts(phc: phc) }

    /// The name of its scheme, which stands between the first two `$`; "unknown" for what has none.
    package var scheme: String {
        let fields = phc.split(separator: "$", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].isEmpty, (1...32).contains(fields[1].utf8.count) else { return "unknown" }
        return String(fields[1])
    }

    /// The hash of another system it is; `nil` when it is none that can be verified.
    package var foreign: (any ForeignHash)? { try? ForeignHashes.read(phc) }

    /// What it cost to make; `nil` when it is malformed or foreign.
    package var parameters: Argon2Parameters? { parts?.parameters }
}
