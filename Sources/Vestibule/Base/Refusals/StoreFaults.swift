package import Essentials
package import Foundation

/// What was proved no longer holds: the account, the session or the password went or changed
/// meanwhile. Nothing was written.
package struct Superseded: Error, Sendable {
    package init() {}

    /// Works again, so many times, when what was looked at has changed meanwhile. Throws
    /// `Superseded` when it has changed each time.
    static func onceMore<Value>(times: Int = 1, _ work: () async throws -> Value) async throws -> Value {
        for _ in 0..<times {
            do { return try await work() } catch is Superseded {}
        }
        return try await work()
    }
}

/// A right code is to set a password that was not judged with the account's name. Nothing was
/// written.
struct NameUnjudged: Error {
    let name: String
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
    /// What an operator has to see to.
    package enum Cause: Sendable { case fullDisk, locked, damaged, noConnection, pooled, encoding }

    package let description: String
    /// Nil where it is another one, or not known.
    package let cause: Cause?

    package init(_ description: String, _ cause: Cause? = nil) {
        (self.description, self.cause) = (description, cause)
    }

    /// Writes what a request can go without. Returns the fault when the disk is full, and throws
    /// any other one.
    static func exceptFullDisk(_ write: () async throws -> Void) async throws -> StoreUnavailable? {
        do {
            try await write()
            return nil
        } catch let fault as StoreUnavailable where fault.cause == .fullDisk {
            return fault
        }
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

/// What may be used a single time, and until when it would be worth anything.
package struct Once: Sendable {
    package let digest: TokenDigest
    package let until: Date
}

/// It was used before, so nothing was written.
package struct UsedBefore: Error {
    package init() {}
}
