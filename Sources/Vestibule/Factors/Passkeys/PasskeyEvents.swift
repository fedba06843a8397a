import Essentials
import Logging
import WebAuthn

extension SecurityEvent.Kind {
    static let passkeyAdded = Self("passkey_added", log: "user_updated")
    /// One that a browser had made by itself is asked for after the password from now on.
    static let passkeySecondStep = Self("passkey_second_step", log: "user_updated")
    /// The counter of a passkey stepped back: it may have been copied.
    static let passkeyCounterBehind = Self("passkey_counter_behind", log: "authn_login_success", .warning)
    /// Whether a passkey may be copied to other devices was said otherwise before.
    static let passkeyBackupChanged = Self("passkey_backup_changed", log: "authn_login_success")
    static let passkeyRefused = Self("passkey_refused", log: "authn_login_fail", .warning)
}

extension Audit {
    /// Why a passkey was refused, which nobody but the operator learns.
    func log(_ refusal: WebAuthnRefusal, visitor: Visitor) {
        write(
            .info, "passkey_refused", from: visitor.client.description,
            ["reason": "\(refusal)", "request_id": "\(visitor.requestID)"])
    }
}
