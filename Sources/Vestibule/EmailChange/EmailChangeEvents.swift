import Logging

extension SecurityEvent.Kind {
    static let emailChangeRequested = Self("email_change_requested", log: "user_email_change_requested")
    static let emailChanged = Self("email_changed", log: "user_updated")
    static let emailRestored = Self("email_restored", log: "user_updated")
    static let emailUndoLocked = Self("email_undo_locked", log: "authn_login_lock", .warning)
}
