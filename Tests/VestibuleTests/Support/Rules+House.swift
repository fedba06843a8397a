@testable import Vestibule

extension Administration {
    /// Works on the store of a house.
    init(needs: Needs) {
        self.init(
            store: needs.store, codes: needs.codes, mailer: needs.mailer, random: needs.random,
            now: needs.now)
    }
}

extension AccountEraser {
    init(needs: Needs) {
        self.init(
            store: needs.store, revocation: ProviderRevocation(needs: needs), key: needs.secretKey,
            mailer: needs.mailer, random: needs.random, now: needs.now)
    }
}

extension Housekeeping {
    init(needs: Needs) {
        self.init(
            store: needs.store, newSignIns: NewSignIns(needs: needs),
            activityLifetime: needs.settings.activityLifetime, now: needs.now)
    }
}
