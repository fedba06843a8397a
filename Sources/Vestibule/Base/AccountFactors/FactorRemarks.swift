import Logging

extension SecurityEvent.Kind {
    /// The counter of a passkey stepped back: it may have been copied.
    static let passkeyCounterBehind = Self("passkey_counter_behind", log: "authn_login_success", .warning)
    /// Whether a passkey may be copied to other devices was said otherwise before.
    static let passkeyBackupChanged = Self("passkey_backup_changed", log: "authn_login_success")
}

extension FactorUse {
    /// What is odd about a use that was right. It is told, and locks nobody out: providers of
    /// passkeys differ in what they promise.
    func remarks(on passkeys: [Passkey]) -> [SecurityEvent.Kind] {
        guard case .passkey(let use) = self, let before = passkeys.first(where: { $0.id == use.id }) else { return [] }
        let counts = max(use.signatureCount, before.signatureCount) > 0
        let isBehind = counts && use.signatureCount <= before.signatureCount
        let isChanged = use.backup.isEligible != before.backup.isEligible
        return (isBehind ? [.passkeyCounterBehind] : []) + (isChanged ? [.passkeyBackupChanged] : [])
    }
}
