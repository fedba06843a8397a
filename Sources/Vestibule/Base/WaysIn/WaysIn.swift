package import Essentials
package import Foundation

/// What becomes of a way into an account.
package enum Fate: Sendable, Equatable {
    case stays
    case ends
    /// What was added lately ends, and what stays is named (`WaysInReview`).
    case isReviewed
    /// What was added since a moment ends (`WaysInEnd.since`).
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
        case .vouchedFor: atVouching
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
        case .factor, .factorRemoval: .stays
        case .trustedBrowser, .pendingLogin, .session, .application, .heldForm, .passwordReset, .emailChange: .ends
        // Its owner may be another victim.
        case .emailUndo: .stays
        }
    }

    private var atAddressTakenBack: Fate {
        switch self {
        case .password: .isReplaced
        case .factor, .emailUndo: .endsIfNewer
        case .identity, .silentPasskey, .factorRemoval, .trustedBrowser, .pendingLogin, .session, .application,
            .heldForm, .passwordReset, .emailChange:
            .ends
        }
    }

    private var atAddressVerified: Fate {
        switch self {
        case .identity, .silentPasskey, .factor, .factorRemoval, .trustedBrowser, .pendingLogin: .ends
        // A reset replaces the password and ends sessions by itself.
        case .password, .session, .application, .heldForm, .passwordReset, .emailChange, .emailUndo: .stays
        }
    }

    private var atVouching: Fate {
        switch self {
        // What was imported with the account is the operator's word, too.
        case .factor: .endsIfNewer
        // So is a removal.
        case .factorRemoval: .stays
        default: atAddressVerified
        }
    }

    private var atDisabling: Fate {
        switch self {
        // They open nothing while the account is disabled.
        case .password, .identity, .silentPasskey, .factor, .factorRemoval, .emailUndo: .stays
        case .trustedBrowser, .pendingLogin, .session, .application, .heldForm, .passwordReset, .emailChange: .ends
        }
    }

    private var atFactorsReset: Fate {
        switch self {
        case .password, .identity, .passwordReset, .emailUndo: .stays
        // Sessions say which factor was proved; if it is lost, so may they be.
        case .silentPasskey, .factor, .factorRemoval, .trustedBrowser, .pendingLogin, .session, .application,
            .heldForm, .emailChange:
            .ends
        }
    }

    private var atFactorTakenBack: Fate {
        switch self {
        case .identity, .factor: .endsIfNewer
        // Who added the factor knew the password, and may have had it for long.
        case .password, .silentPasskey, .factorRemoval, .trustedBrowser, .pendingLogin, .session, .application,
            .heldForm, .passwordReset, .emailChange:
            .ends
        case .emailUndo: .stays
        }
    }
}

/// What an event ends, as a store carries it out.
package struct WaysInEnd: Sendable {
    package let event: WaysInEvent
    /// What was added then and later `endsIfNewer`.
    private let since: Date
    /// The same of some ways.
    private let sinceOf: [WayIn: Date]
    /// The session that stays.
    package let keeping: SessionID?

    package init(
        _ event: WaysInEvent, since: Date = .distantPast, sinceOf: [WayIn: Date] = [:], keeping: SessionID? = nil
    ) {
        (self.event, self.since, self.sinceOf, self.keeping) = (event, since, sinceOf, keeping)
    }

    /// A first factor that is taken back, with what was added since then. Of identities also what a
    /// new password would take away: a thief may have linked one before adding the factor.
    package static func factorTakenBack(since: Date, at now: Date) -> WaysInEnd {
        let identitiesSince = min(since, now.addingTimeInterval(-WaysInReview.recent))
        return WaysInEnd(.factorTakenBack, since: since, sinceOf: [.identity: identitiesSince])
    }

    /// The factors that the account came with stay.
    package static func vouchedFor(madeAt: Date) -> WaysInEnd {
        WaysInEnd(.vouchedFor, since: Date(ms: madeAt.ms + 1))
    }

    /// From when on a way that `endsIfNewer` ends.
    package func since(_ way: WayIn) -> Date { sinceOf[way] ?? since }
}
