import Serving

extension Notice {
    static let totpAdded = Notice("totp_added", .saved)
    static let totpRemoved = Notice("totp_removed", .saved)
    static let totpKeyExpired = Notice("totp_key_expired", .problem)
}
