import Essentials
import Vestibule

extension DoctorReport {
    /// Browsers know passkeys of hosts with a name only (WebAuthn level 3, section 5.1.2).
    func checkPasskeys(_ settings: Settings) {
        let host = settings.publicURL.origin.host
        guard settings.passkeys, !settings.offersPasskeys else { return }
        warn("passkeys", "no browser takes one for \(host), an IP address: give VESTIBULE_PUBLIC_URL a name")
    }

    /// Accounts that a password opens alone, although their owners have added a second factor.
    func checkSecondFactors(_ settings: Settings, _ store: any FactorStore) async throws {
        guard settings.secondFactor == .off else { return }
        let count = try await store.accountsWithSecondFactor()
        guard count > 0 else { return }
        warn(
            "second factors",
            "\(count) account\(count == 1 ? " has" : "s have") one, and none is asked for: VESTIBULE_SECOND_FACTOR is off"
        )
    }

    /// Keys of apps and codes that another secret key has sealed.
    func checkSealedFactors(_ settings: Settings, _ store: any FactorSealingStore) async throws {
        guard let key = try? Wiring.existingSecretKey(settings) else { return }
        let count = try await FactorSealing(store: store, key: key).left()
        guard count > 0 else { return }
        let what =
            "\(count) of authenticator apps and recovery codes \(count == 1 ? "is" : "are") sealed with another key"
        warn(
            "sealed factors",
            key.hasPrevious
                ? "\(what): leave VESTIBULE_SECRET_KEY_PREVIOUS in until the servers, all with the new key, have sealed them anew"
                : "\(what): set VESTIBULE_SECRET_KEY_PREVIOUS to it")
    }
}
