package import Essentials
package import Foundation

/// What the owner of an account lets an application see of it.
package struct ApplicationConsent: Sendable, Equatable {
    /// The name of the application in the settings.
    package let application: String
    /// Separated by spaces, as OpenID Connect writes them.
    package let scopes: String
    package let givenAt: Date

    package init(application: String, scopes: String, givenAt: Date) {
        (self.application, self.scopes, self.givenAt) = (application, scopes, givenAt)
    }
}

/// The store's part of what owners let applications see.
package protocol ApplicationConsentStore: Sendable {
    func applicationConsents(accountID: AccountID) async throws -> [ApplicationConsent]
    /// Names of the clients that the account's sessions have signed in to, with or without consent.
    func enteredClients(accountID: AccountID) async throws -> [String]
    /// Keeps it, with the scopes of the one before. Returns false, and keeps no event, if that has
    /// them all. Throws `Superseded`.
    func giveConsent(
        _ consent: ApplicationConsent, by session: PresentedSession, event: SecurityEvent
    ) async throws -> Bool
    /// Ends it, with everything the application was given. Returns false, and keeps no event, if
    /// there is none. Throws `Superseded`.
    func endConsent(to application: String, by session: PresentedSession, event: SecurityEvent) async throws -> Bool
}
