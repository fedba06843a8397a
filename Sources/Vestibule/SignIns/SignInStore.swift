/// The store's part of signing in.
package protocol SignInStore: Sendable {
    /// Starts the session, ends the one it replaces, clears the failures, gives the failure claims
    /// back, keeps the events and a renewed hash: one transaction. Returns whether a mail was
    /// queued. Throws `Superseded` when the password was changed, the account closed or one of the
    /// `absent` factors added since they were looked at.
    @discardableResult
    func loginSucceeded(_ success: LoginSuccess) async throws -> Bool
}
