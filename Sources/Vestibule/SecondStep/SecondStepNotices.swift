import Serving

extension Notice {
    /// After a sign-in with one of the last codes.
    static let recoveryCodesLow = Notice("recovery_codes_low", .note)
}
