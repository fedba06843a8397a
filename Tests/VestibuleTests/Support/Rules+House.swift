@testable import Vestibule

extension Administration {
    /// Works on the store of a house.
    init(services: SharedServices) {
        self.init(
            store: services.store, codes: services.codes, mailer: services.mailer, author: services.author)
    }
}

extension Sessions {
    init(services: SharedServices) {
        self.init(
            store: services.store, audit: services.audit, lifetimes: services.settings.sessionLifetimes,
            requiresFactor: false, termsVersion: services.settings.termsVersion)
    }
}

extension AccountEraser {
    init(services: SharedServices) {
        self.init(
            store: services.store, revocation: services.revocation, key: services.secretKey,
            mailer: services.mailer, random: services.random, now: services.now)
    }
}

extension FactorRemoval {
    init(services: SharedServices) {
        self.init(store: services.store, mailer: services.mailer, author: services.author)
    }
}

extension Housekeeping {
    init(services: SharedServices) {
        self.init(
            store: services.store, newSignIns: services.newSignIns,
            factorRemoval: FactorRemoval(services: services),
            factorSealing: FactorSealing(store: services.store, key: services.secretKey),
            keyRotation: KeyRotation(
                store: services.store, secretKey: services.secretKey, author: services.author),
            activityLifetime: services.settings.activityLifetime,
            now: services.now)
    }
}
