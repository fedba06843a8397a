/// What a code flow is for. A feature that has one declares its kind.
package struct CodeFlowKind: Sendable, Hashable {
    /// Names the flows in the store: no two kinds have the same.
    package let name: String
    /// Names the flow in the browser's cookie: one letter that no other kind has.
    let letter: String
}
