/// What was proved no longer holds: the account, the session or the password went or changed
/// meanwhile. Nothing was written.
package struct Superseded: Error, Sendable {
    package init() {}
}

/// The store cannot work now: locked, read-only, full, missing or damaged. Nothing was changed.
package struct StoreUnavailable: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
