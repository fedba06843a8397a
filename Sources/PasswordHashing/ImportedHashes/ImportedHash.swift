/// A password hash that another system made, read from the form it was stored in. It is only ever
/// verified: the first right password replaces it with an Argon2id hash.
package protocol ImportedHash: Sendable {
    /// Whether the password made it, on the calling thread and in all the time and memory the hash
    /// asks for. Throws when there is no memory.
    func isMade(by password: Password) throws -> Bool
}

/// Why a stored text is no hash that can be verified here.
package enum ImportedHashRefusal: Error, Sendable, Equatable {
    case unknownForm
    /// Of that form, but cut off, garbled or not in its canonical spelling.
    case malformed(String)
    /// Asks for more than `ImportedHashBounds` allows; says what is allowed.
    case outOfBounds(String, allowed: String)

    private static func article(_ form: String) -> String {
        // As they are spoken: an ess-crypt, an S-H-A-crypt.
        ["Argon2", "SHA-crypt", "scrypt"].contains(form) ? "an" : "a"
    }

    /// For the operator, in English.
    package var reason: String {
        switch self {
        case .unknownForm: "its form is not known"
        case .malformed(let form): "it is no complete \(form) hash in the usual spelling"
        case .outOfBounds(let form, let allowed):
            "it is \(Self.article(form)) \(form) hash beyond what is taken: \(allowed)"
        }
    }
}
