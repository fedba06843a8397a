import Essentials
import Foundation
package import PasswordHashing

/// What a sign-up makes in one transaction.
package struct NewAccount: Sendable {
    package let account: Account
    /// `nil` for somebody who signs in through a provider.
    package let passwordHash: PasswordHash?
    package let consent: Consent
    package let session: NewSession
    package let events: [SecurityEvent]

    package init(
        account: Account, passwordHash: PasswordHash?, consent: Consent, session: NewSession,
        events: [SecurityEvent]
    ) {
        self.account = account
        self.passwordHash = passwordHash
        self.consent = consent
        self.session = session
        self.events = events
    }
}
