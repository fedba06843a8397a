/// What was proved no longer holds: the account, the session or the password went or changed
/// meanwhile. Nothing was written.
package struct Superseded: Error, Sendable {
    package init() {}

    /// Works once more when what was looked at has changed meanwhile. Throws `Superseded` when it
    /// has changed again.
    static func onceMore<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch is Superseded {
            return try await work()
        }
    }
}

/// What an account's second factor rests with was sealed with a secret key that this node does not
/// know; another node may.
struct FactorUnreadable: Error, CustomStringConvertible {
    let description = """
        a second factor was sealed with another VESTIBULE_SECRET_KEY; set VESTIBULE_SECRET_KEY_PREVIOUS to it, and see \
        `vestibule doctor`
        """
}

/// The store cannot work now: locked, read-only, full, missing or damaged. Nothing was changed.
package struct StoreUnavailable: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// A stored text that this version does not know: a newer one may have written it. To take it for
/// something else would say of a person what nobody has seen.
package struct UnknownStoredValue: Error, Sendable, CustomStringConvertible {
    package let description: String
}

extension RawRepresentable where RawValue == String {
    /// What is stored as that text. Throws `UnknownStoredValue`.
    package init(stored text: String) throws(UnknownStoredValue) {
        guard let value = Self(rawValue: text) else {
            throw UnknownStoredValue(description: "unknown \(Self.self) in the database: \(text)")
        }
        self = value
    }
}
