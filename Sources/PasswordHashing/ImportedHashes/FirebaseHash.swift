import Bytes

/// A hash of Firebase Authentication (github.com/firebase/scrypt): a key made by scrypt enciphers
/// the project's signer key. It is kept in the form Supabase introduced, with all the project's
/// parameters in it.
struct FirebaseHash: ImportedHash {
    private let project: FirebaseProject
    private let salt: [UInt8]
    private let tag: [UInt8]
    /// Bytes of the AES-256 key.
    private static let keyBytes = 32

    func isMade(by password: Password) throws -> Bool {
        let key = try Derivation.scrypt(
            password, salt: salt + project.saltSeparator, parameters: project.parameters, bytes: Self.keyBytes
        )
        return ConstantTime.equal(try Derivation.aes256CTR(project.signerKey, key: key), tag)
    }
}

extension FirebaseHash {
    /// `$fbscrypt$v=1,n=14,r=8,p=1,ss=separator,sk=signer key$salt$hash`
    init(_ text: HashText) throws(ImportedHashRefusal) {
        guard text.fields.count == 5 else { throw .malformed("Firebase") }
        let parts = text.fields[2].parts(by: ",")
        guard parts.count == 6,
            let numbers = HashText.numbers(parts[..<4].joined(separator: ",")[...], "v", "n", "r", "p"),
            numbers[0] == 1, numbers[3] == 1, let ss = parts[4].after("ss="), let sk = parts[5].after("sk="),
            let separator = Base64.padded.decode(ss),
            let signerKey = Base64.padded.decode(sk),
            let salt = Base64.padded.decode(text.fields[3]), (1...64).contains(salt.count),
            let tag = Base64.padded.decode(text.fields[4]), tag.count == signerKey.count
        else { throw .malformed("Firebase") }
        project = try FirebaseProject(
            memoryCost: numbers[1], rounds: numbers[2], saltSeparator: separator, signerKey: signerKey
        )
        (self.salt, self.tag) = (salt, tag)
    }
}
