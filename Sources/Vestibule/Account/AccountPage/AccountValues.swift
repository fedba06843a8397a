import Essentials
import Foundation
import Serving

/// What a page of the account is filled with.
struct AccountValues {
    let routes: AccountRoutes
    let context: SignedInContext
    /// Shown at once; what is older is folded away.
    private static let newest = 5

    private var web: Web { routes.web }
    private var words: AccountWords { AccountWords(pages: web.pages, context: context, now: web.now()) }

    func of(_ shown: AccountPage) -> Values {
        web.accountValues(context).merging(section(shown)) { $1 }
    }

    private func section(_ shown: AccountPage) -> Values {
        switch shown.content {
        case .profile: web.profileValues(context)
        case .security(let overview, let factors):
            waysIn(overview, factors, shown.record.session).merging(
                routes.ways.values(of: factors, web.pages, context)
            ) { $1 }
        case .devices(let overview, let trusted, let this):
            devices(overview, current: shown.record.sessionID).merging([
                "trusted": trusted.map { words.row($0, isCurrent: $0.browser == this) }
            ]) { $1 }
        case .activity(let overview):
            activity(Activity.lines(overview.events.filter(words.tells))).merging([
                "has_password": overview.hasPassword
            ]) { $1 }
        case .data(let overview, let seenBy, let entered):
            [
                "consents": overview.consents.map { consent -> Values in
                    ["version": consent.version, "accepted": words.time(consent.acceptedAt)]
                },
                "seen_by": seenBy.map(row) + letIn(entered, without: seenBy),
            ]
        }
    }

    private func row(_ consent: ApplicationConsent) -> Values {
        var row: Values = [
            "name": consent.application,
            "label": routes.applications.application(named: consent.application)?.label ?? consent.application,
            "given": words.time(consent.givenAt),
        ]
        for scope in consent.scopes.parts(by: " ") { row["sees_\(scope)"] = true }
        return row
    }

    /// Trusted applications, which see the account without a consent.
    private func letIn(_ entered: [String], without consents: [ApplicationConsent]) -> [Values] {
        routes.applications.all.filter { application in
            application.client?.isTrusted == true && entered.contains(where: application.name.isExactly)
                && !consents.contains { $0.application.isExactly(application.name) }
        }.map { ["name": $0.name, "label": $0.label] }
    }

    private func activity(_ lines: [Activity]) -> Values {
        let newest = lines.prefix(Self.newest)
        return [
            "activity": words.days(newest),
            "older_activity": words.days(lines.dropFirst(Self.newest), after: newest.last),
        ]
    }

    /// The one in front of the reader first.
    private func devices(_ overview: AccountOverview, current: SessionID) -> Values {
        let here = overview.sessions.filter { $0.id == current }
        let others = overview.sessions.filter { $0.id != current }
        let rows = (here + others).map { session in
            words.row(session, isCurrent: session.id == current)
                .merging(entered(overview.enteredApplications[session.id]?.map(\.name) ?? [])) { $1 }
        }
        return folded("sessions", rows).merging(["others": !others.isEmpty]) { $1 }
    }

    /// The applications that a session has opened: their labels as one text, and each with its URL.
    /// Those that are no longer in the settings are left out.
    private func entered(_ origins: [String]) -> Values {
        let opened = routes.applications.all.compactMap { application in
            application.origins.first { origins.contains($0.text) }.map { (application.label, "\($0.text)/") }
        }
        guard !opened.isEmpty else { return [:] }
        return [
            "entered": opened.map(\.0).joined(separator: ", "),
            "opened": opened.map { ["label": $0, "url": $1] as Values },
        ]
    }

    private func folded(_ name: String, _ rows: [Values]) -> Values {
        var values: Values = [name: Array(rows.prefix(Self.newest))]
        if rows.count > Self.newest { values["older_\(name)"] = Array(rows.dropFirst(Self.newest)) }
        return values
    }

    private func waysIn(_ overview: AccountOverview, _ factors: AccountFactors, _ session: Session) -> Values {
        let inUse = overview.identities.filter { routes.providers.named($0.provider) != nil }.map(\.id)
        let hasOthers = overview.hasPassword || routes.ways.passkeys && !factors.passkeys.isEmpty
        let new = routes.providers.all.map(\.settings).filter { provider in
            !session.awaitsFactor && !overview.identities.contains { $0.provider == provider.name }
        }
        var values: Values = [
            "has_password": overview.hasPassword,
            "identities": overview.identities.map { identity -> Values in
                var row: Values = [
                    "id": identity.id, "label": routes.providers.label(identity.provider),
                    "removable": !session.awaitsFactor && (hasOthers || inUse.contains { $0 != identity.id }),
                    "is_\(identity.provider)": true,
                    "is_listed": inUse.contains(identity.id),
                ]
                row["address"] = identity.email
                let times = web.pages.wayTimes(added: identity.createdAt, used: identity.lastUsedAt, context)
                return row.merging(times) { $1 }
            },
            "addable": new.map { provider -> Values in
                let link = web.signedLinks.mark(ProviderLink.adding(provider.name), session)
                return [
                    "url": "/auth/\(provider.name)?link=\(link)",
                    "is_\(provider.name)": true, "is_listed": true,
                    "label": provider.label,
                    "sentence": web.pages.sentence("account.add_way", context, ["label": provider.label]),
                ]
            },
        ]
        if let password = overview.password, password.setAt != nil || password.lastUsedAt != nil {
            values["password_times"] = web.pages.wayTimes(
                added: password.setAt, used: password.lastUsedAt, context)
        }
        return values
    }
}

extension Web {
    /// The name, and where mails are in another language than the page, what that one calls itself.
    func profileValues(_ context: SignedInContext) -> Values {
        var values: Values = ["profile_name": ["value": context.account.displayName] as Values]
        let locale = pages.templates.known(context.account.locale)
        if locale != context.locale { values["mails_in"] = pages.templates.sentence("language", locale: locale) }
        return values
    }
}
