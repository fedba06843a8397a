public import Bytes

/// A hash as stored: our own is a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$tag`; an imported
/// one is kept in the form it came in until the first right password.
public struct PasswordHash: Secret, Sendable, Equatable {
    /// What is stored.
    public let phc: String

    /// From what was stored. Any text is taken: a malformed one matches no password.
    public init(phc: String) {
        self.phc = phc
    }

    init(_ parts: PasswordHashParts) {
        phc = parts.phc
    }

    /// Its parameters, salt and tag; `nil` when the string is malformed or is no Argon2id of
    /// version 19.
    var parts: PasswordHashParts? { PasswordHashParts(phc: phc) }

    /// The name of its scheme, such as "argon2id" or "bcrypt": the first field that is not empty,
    /// where `$` separates them.
    package var scheme: String {
        let fields = phc.parts(by: "$").filter { !$0.isEmpty }
        guard fields.count > 1, let name = fields.first, name.utf8.count <= 32 else { return "unknown" }
        return Self.schemes[String(name)] ?? String(name)
    }

    /// Names for those that crypt(5) numbers.
    private static let schemes = [
        "2a": "bcrypt", "2b": "bcrypt", "2y": "bcrypt", "5": "sha256crypt", "6": "sha512crypt", "7": "scrypt",
        "y": "yescrypt",
    ]

    /// The hash of another system that it stands for. Returns nil if it is of no known form.
    var foreign: (any ImportedHash)? { try? ImportedHashes.read(phc) }

    /// What it cost to make. Nil if it is malformed or of another system.
    package var parameters: Argon2Parameters? { parts?.parameters }
}
