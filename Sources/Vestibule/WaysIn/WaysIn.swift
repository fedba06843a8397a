package import Essentials
package import Foundation

/// What becomes of a way into an account.
package enum Fate: Sendable, Equatable {
    case stays
    case ends
    /// What was added lately ends, and what stays is named (`WaysInReview`).
    case isReviewed
    /// What was added since what is taken back ends.
    case endsIfNewer
    /// Another one takes its place.
    case isReplaced
}

extension WayIn {
    /// The one rule: what ends with what. A session that changes the password or removes something
    /// stays itself, with a new token.
    package func fate(at event: WaysInEvent) -> Fate {
        switch event {
        case .passwordReset, .passwordChanged: atNewPassword
        case .addressTakenBack: atAddressTakenBack
        case .addressVerified: atAddressVerified
        case .disabled: atDisabling
        case .factorsReset: atFactorsReset
        case .factorTakenBack: atFactorTakenBack
        }
    }

    private var atNewPassword: Fate {
        switch self {
        case .password: .isReplaced
        case .identity, .silentPasskey: .isReviewed
        // The mailbox or the password alone never removes a factor.
        case .factorPasskey, .app, .recoveryCodes, .factorRemoval: .stays
        case .trustedBrowser, .pendingLogin, .session, .application, .heldForm, .passwordReset, .emailChange: .ends
        // Its owner may be another victim.
        case .emailUndo: .stays
        }
    }

    private var atAddressTakenBack: Fate {
        switch self {
        case .password: .isReplaced
        case .factorPasskey, .app, .recoveryCodes, .emailUndo: .endsIfNewer
        case .identity, .silentPasskey, .factorRemoval, .trustedBrowser, .pendingLogin, .session, .application,
            .heldForm, .passwordReset, .emailChange:
            .ends
        }
    }

    private var atAddressVerified: Fate {
        switch self {
        case .identity, .silentPasskey, .factorPasskey, .app, .recoveryCodes, .factorRemoval, .trustedBrowser,
            .pendingLogin:
            .ends
        // The operator vouches for the person who knows the password.
        case .password, .session, .application, .heldForm, .passwordReset, .emailChange, .emailUndo: .stays
        }
    }

    private var atDisabling: Fate {
        switch self {
        // They open nothing while the account is disabled.
        case .password, .identity, .silentPasskey, .factorPasskey, .app, .recoveryCodes, .factorRemoval, .emailUndo:
            .stays
        case .trustedBrowser, .pendingLogin, .session, .application, .heldForm, .passwordReset, .emailChange: .ends
        }
    }

    private var atFactorsReset: Fate {
        switch self {
        case .password, .identity, .passwordReset, .emailUndo: .stays
        // Sessions say which factor was proved; if it is lost, so may they be.
        case .silentPasskey, .factorPasskey, .app, .recoveryCodes, .factorRemoval, .trustedBrowser, .pendingLogin,
            .session, .application, .heldForm, .emailChange:
            .ends
        }
    }

    private var atFactorTakenBack: Fate {
        switch self {
        case .identity, .silentPasskey, .factorPasskey, .app, .recoveryCodes: .endsIfNewer
        case .password, .factorRemoval, .trustedBrowser, .pendingLogin, .session, .application, .heldForm,
            .emailChange:
            .ends
        case .passwordReset, .emailUndo: .stays
        }
    }
}

/// What an event ends, as a store carries it out.
package struct WaysInEnd: Sendable {
    package let event: WaysInEvent
    /// What was added then and later `endsIfNewer`.
    package let since: Date
    /// The same of links that take back an address.
    package let undosSince: Date
    /// The session that stays.
    package let keeping: SessionID?

    package init(
        _ event: WaysInEvent, since: Date = .distantPast, undosSince: Date = .distantPast, keeping: SessionID? = nil
    ) {
        (self.event, self.since, self.undosSince, self.keeping) = (event, since, undosSince, keeping)
    }
}
