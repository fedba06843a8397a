import Serving

extension Notice {
    static let recoveryCodesGone = Notice("recovery_codes_gone", .problem)
}
