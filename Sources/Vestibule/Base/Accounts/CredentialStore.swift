/// The store's part of looking at credentials.
package protocol CredentialStore: Sendable {
    /// What a rule needs to know about an address, with or without an account.
    func loginRecord(emailKey: String, failuresKey: [UInt8]) async throws -> LoginRecord
    /// Counts one more failure in a row and keeps the event. Need not survive a power cut.
    func loginFailed(failuresKey: [UInt8], event: SecurityEvent) async throws
}
