import Essentials

/// The authenticator app of an imported account, and the codes that stand in for it, as they are
/// kept.
package struct ImportedFactors: Sendable, Equatable {
    /// The app's key, sealed.
    package let totp: [UInt8]
    package let codes: RecoveryCodeSet?

    /// Bytes of a key: 80 bits are what many systems made before RFC 4226 asked for 128.
    private static let keyBytes = 10...64
    private static let codesAtMost = 20

    /// Of a line, for that account. Returns nil if the line has none.
    static func of(
        _ line: ImportLine, _ accountID: AccountID, _ key: Result<SecretKey, ImportRefusal>, _ random: Randomness
    ) throws(ImportRefusal) -> ImportedFactors? {
        guard let text = line.totp else {
            guard line.recoveryCodes == nil else { throw .recoveryCodesAlone }
            return nil
        }
        guard let bytes = Base32.decode(text), keyBytes.contains(bytes.count) else { throw .totpInvalid }
        let codes = try line.recoveryCodes.map { texts throws(ImportRefusal) in try read(texts) }
        let key = try key.get()
        guard let totp = try? key.seal(bytes, for: SecondFactor.totp.sealing(accountID)) else {
            throw .secretKeyMissing
        }
        let set = codes.flatMap { try? RecoveryKey.set(of: $0, from: random, key, for: accountID) }
        return ImportedFactors(totp: totp, codes: set)
    }

    private static func read(_ texts: [String]) throws(ImportRefusal) -> [RecoveryCode] {
        let codes = texts.compactMap { RecoveryCode(typed: $0) }
        guard (1...codesAtMost).contains(texts.count), codes.count == texts.count,
            Set(codes.map(\.characters)).count == codes.count
        else { throw .recoveryCodesInvalid }
        return codes
    }
}
