import Essentials

/// What a QR code tells an authenticator app: `otpauth://totp/…`, in the format that all of them
/// read.
struct OTPAuthURI: Secret {
    let text: String

    init(issuer: String, email: EmailAddress, key: TOTPKey) {
        // A colon parts issuer and account, encoded or not.
        let issuer = issuer.parts(by: ":").joined().formEncoded
        text =
            "otpauth://totp/\(issuer):\(email.typed.formEncoded)?secret=\(key.text)&issuer=\(issuer)"
            + "&algorithm=SHA1&digits=\(TOTP.digits)&period=\(Int(TOTP.period))"
    }
}
