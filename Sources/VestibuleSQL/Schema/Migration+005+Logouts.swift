extension Migration {
    /// Applications are told of the end of sessions that have entered them, by an engine's own
    /// triggers.
    package static func logouts(_ triggers: [String]) -> Migration {
        Migration(number: 5, name: "logouts", statements: triggers)
    }
}

extension SignalSource {
    /// Numbered after `all`. An application without an address for logouts is no target, so that
    /// nothing is written for it.
    package static let logouts = [
        SignalSource(
            event: "logout", table: "client_sessions", change: "DELETE", session: "session_id",
            target: "'app:' || OLD.application")
    ]
}
