import Essentials
package import PasswordHashing

/// The store's part of login.
package protocol LoginStore: Sendable {
    /// What login needs to know about an address, with or without an account.
    func loginRecord(emailKey: String, failuresKey: [UInt8]) async throws -> LoginRecord
    /// Counts one more failure in a row and keeps the event. Need not survive a power cut.
    func loginFailed(failuresKey: [UInt8], event: SecurityEvent) async throws
    /// Starts the session, ends the one it replaces, clears the failures, gives the failure claims back, keeps the events
    /// and a renewed hash: one transaction. Returns whether a mail was queued. Throws `Superseded` when the password was
    /// changed or the account closed since they were looked at.
    @discardableResult
    func loginSucceeded(_ success: LoginSuccess) async throws -> Bool
}

/// Everything a successful login writes.
package struct LoginSuccess: Sendable {
    package let session: NewSession
    package let failuresKey: [UInt8]
    package let returned: [LimitClaim]
    /// The hash the password was proved against; `nil` for a sign-in without password.
    package let proved: PasswordHash?
    package let rehash: PasswordHash?
    package let events: [SecurityEvent]
    /// For a browser that had not signed in before.
    package let notice: NewSignInNotice?

    package init(
        session: NewSession, failuresKey: [UInt8], returned: [LimitClaim], proved: PasswordHash?,
        rehash: PasswordHash?, events: [SecurityEvent], notice: NewSignInNotice? = nil
    ) {
        self.notice = notice
        self.proved = proved
        self.session = session
        self.failuresKey = failuresKey
        self.returned = returned
        self.rehash = rehash
        self.events = events
    }
}
