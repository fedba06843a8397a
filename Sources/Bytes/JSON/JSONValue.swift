/// A JSON value (RFC 8259) as it was sent.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// As written: nothing here counts with numbers.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}
