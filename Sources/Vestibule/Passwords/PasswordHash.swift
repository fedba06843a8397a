/// An Argon2id hash as stored: a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$tag`.
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

    /// What it cost to make; `nil` when it is malformed.
    package var parameters: Argon2Parameters? { parts?.parameters }
}
