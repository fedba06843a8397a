import Serving

extension Notice {
    static let recoveryCodesMade = Notice("recovery_codes_made", .saved)
    static let recoveryCodesGone = Notice("recovery_codes_gone", .problem)
}
