/// Whether a form carries the token of its session. A page from before the last sign-in carries the
/// token of the session then: its form is shown again, filled, with the token of today.
struct FormCheck: Sendable {
    let isCurrent: Bool

    /// Throws `Refusals`.
    func callAsFunction() throws {
        guard isCurrent else { throw Refusals([.formStale]) }
    }
}
