/// Where recovery codes are made: adding the first factor leads there.
enum RecoveryCodePages {
    static let path = "/account/security/recovery-codes"
}
