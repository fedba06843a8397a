/// A second factor, shown.
public enum FactorProof: Sendable {
    /// What the authenticator app shows now, six digits.
    case appCode(Secret)
    /// One of the codes that were shown once.
    case recoveryCode(Secret)
    /// What a passkey signed.
    case passkey(PasskeyCredential, for: PasskeyRequest)

    /// The code of that kind.
    static func code(_ code: Secret, _ method: SecondFactorMethod) -> FactorProof {
        method == .recoveryCode ? .recoveryCode(code) : .appCode(code)
    }

    /// The members of a call.
    func body(flow: Secret? = nil) -> Body {
        switch self {
        case .appCode(let code): ["flow": flow, "method": SecondFactorMethod.totp, "code": code]
        case .recoveryCode(let code): ["flow": flow, "method": SecondFactorMethod.recoveryCode, "code": code]
        case .passkey(let credential, let request):
            [
                "flow": flow, "method": SecondFactorMethod.passkey, "challenge": request.handle,
                "credential": credential,
            ]
        }
    }
}
