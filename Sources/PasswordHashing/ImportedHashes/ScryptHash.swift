import Bytes

/// An scrypt hash as a PHC string (passlib) or in Django's form, verified by OpenSSL.
struct ScryptHash: ImportedHash {
    private let parameters: ScryptParameters
    private let salt: [UInt8]
    private let tag: [UInt8]

    func isMade(by password: Password) throws -> Bool {
        let made = try Derivation.scrypt(password, salt: salt, parameters: parameters, bytes: tag.count)
        return ConstantTime.equal(made, tag)
    }
}

extension ScryptHash {
    /// `$scrypt$ln=16,r=8,p=1$salt$hash`
    init(phc text: HashText) throws(ImportedHashRefusal) {
        guard text.fields.count == 5, let numbers = HashText.numbers(text.fields[2], "ln", "r", "p"),
            let salt = Base64.bare.decode(text.fields[3]), let tag = Base64.bare.decode(text.fields[4])
        else { throw .malformed("scrypt") }
        try self.init(log2Cost: numbers[0], blockSize: numbers[1], lanes: numbers[2], salt: salt, tag: tag)
    }

    /// `scrypt$16384$salt$8$5$hash`, the salt as it stands.
    init(django text: HashText) throws(ImportedHashRefusal) {
        guard text.fields.count == 6, let cost = HashText.number(text.fields[1]), cost > 0, cost.nonzeroBitCount == 1,
            let blockSize = HashText.number(text.fields[3]), let lanes = HashText.number(text.fields[4]),
            let tag = Base64.padded.decode(text.fields[5])
        else { throw .malformed("scrypt") }
        try self.init(
            log2Cost: cost.trailingZeroBitCount, blockSize: blockSize, lanes: lanes, salt: Array(text.fields[2].utf8),
            tag: tag
        )
    }

    private init(
        log2Cost: Int, blockSize: Int, lanes: Int, salt: [UInt8], tag: [UInt8]
    ) throws(ImportedHashRefusal) {
        guard (1...64).contains(salt.count), ImportedHashBounds.tagBytes.contains(tag.count) else {
            throw .malformed("scrypt")
        }
        parameters = ScryptParameters(log2Cost: log2Cost, blockSize: blockSize, lanes: lanes)
        try parameters.check()
        (self.salt, self.tag) = (salt, tag)
    }
}
