import Serving

extension Notice {
    static let passkeyAdded = Notice("passkey_added", .saved)
    static let passkeySecondStep = Notice("passkey_second_step", .saved)
    static let passkeySecondStepWithoutCodes = Notice("passkey_second_step_without_codes", .saved)
    static let passkeyRenamed = Notice("passkey_renamed", .saved)
    static let passkeyRemoved = Notice("passkey_removed", .saved)
    /// Codes come next, for the day it is lost.
    static let passkeyAddedWithoutCodes = Notice("passkey_added_without_codes", .saved)
}
