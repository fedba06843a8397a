extension CodeFlowKind {
    /// A login that waits for its second step. Only the browser's cookie knows it as a flow.
    static let secondStep = CodeFlowKind(name: "logins", letter: "l")
}
