import Foundation

/// What the account page is filled with.
struct AccountValues {
    let web: Web
    let context: AppContext
    let needs: Needs
    /// Events shown at once; the older ones are folded away.
    private static let newest = 5

    func of(_ shown: AccountPage) -> Values {
        let activity = Activity.lines(shown.overview.events).map(line)
        // The one in front of the reader first.
        let current = shown.overview.sessions.filter { $0.id == shown.record.session.id }
        let others = shown.overview.sessions.filter { $0.id != shown.record.session.id }
        var values: Values = [
            "signedIn": true,
            "csrf": shown.formToken,
            "others": !others.isEmpty,
            "display_name": shown.record.account.displayName,
            "profile_name": ["value": shown.record.account.displayName] as Values,
            "email": shown.record.account.email,
            "sessions": (current + others).map { row($0, isCurrent: $0.id == shown.record.session.id) },
            "activity": Array(activity.prefix(Self.newest)),
            "consents": shown.overview.consents.map { consent -> Values in
                ["version": consent.version, "accepted": Moment.text(consent.acceptedAt)]
            },
        ]
        if activity.count > Self.newest { values["older_activity"] = Array(activity.dropFirst(Self.newest)) }
        values.merge(waysIn(shown)) { $1 }
        values["notice"] = shown.notice
        return values
    }

    /// Ways to sign in: what there is, and what could be added.
    private func waysIn(_ shown: AccountPage) -> Values {
        let identities = shown.overview.identities
        let hasOthers = shown.overview.hasPassword || identities.count > 1
        let mark = SessionMark(key: needs.secretKey)
        let new = needs.providers.all.map(\.settings).filter { provider in
            !identities.contains { $0.provider == provider.name }
        }
        return [
            "providers": !needs.providers.all.isEmpty || !identities.isEmpty,
            "has_password": shown.overview.hasPassword,
            "identities": identities.map { identity -> Values in
                [
                    "id": identity.id, "label": needs.providers.label(identity.provider), "email": identity.email ?? "",
                    "removable": hasOthers,
                ]
            },
            "addable": new.map { provider -> Values in
                let link = mark.mark("add \(provider.name)", shown.record.session)
                return [
                    "url": "/auth/\(provider.name)?link=\(link)",
                    "sentence": web.pages.sentence("account.add_way", context, ["label": provider.label]),
                ]
            },
        ]
    }

    private func row(_ session: Session, isCurrent: Bool) -> Values {
        [
            "id": session.id,
            "device": device(session.userAgent),
            "address": ClientAddress(session.address)?.shortened ?? "",
            "first_seen": Moment.text(session.createdAt),
            "last_seen": Moment.text(session.lastSeenAt),
            "current": isCurrent,
        ]
    }

    private func line(_ activity: Activity) -> Values {
        let event = activity.event
        var line: Values = [
            "what": web.pages.sentence("activity.\(event.kind.rawValue)", context),
            "at": Moment.text(event.at),
        ]
        if let address = ClientAddress(event.address) {
            line["device"] = device(event.userAgent)
            line["address"] = address.shortened
        }
        if activity.times > 1 {
            line["times"] = web.pages.sentence("activity.times", context, ["count": "\(activity.times)"])
        }
        return line
    }

    private func device(_ userAgent: String) -> String {
        Device(userAgent: userAgent).name ?? web.pages.sentence("account.unknown_device", context)
    }
}
