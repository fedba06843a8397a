import Bytes

/// An Argon2 hash of any variant, version and parameters as a PHC string.
struct Argon2Hash: ImportedHash {
    private let variant: Argon2.Variant
    private let parameters: Argon2Parameters
    private let salt: [UInt8]
    private let tag: [UInt8]

    func isMade(by password: Password) throws -> Bool {
        let made = try Argon2.tag(
            of: password, salt: salt, parameters: parameters, bytes: tag.count, variant: variant
        )
        return ConstantTime.equal(made, tag)
    }
}

extension Argon2Hash {
    /// `$argon2id$v=19$m=65536,t=3,p=4$salt$hash`; without `v` it is version 16, as in the
    /// reference implementation.
    init(phc text: HashText) throws(ImportedHashRefusal) {
        let hasVersion = text.fields.dropFirst(2).first?.begins(with: "v=") == true
        let fields = Array(text.fields.dropFirst(hasVersion ? 3 : 2))
        let version = hasVersion ? HashText.numbers(text.fields[2], "v")?.first : 16
        guard fields.count == 3, let version, let variant = Argon2.Variant(name: text.scheme, version: version),
            let numbers = HashText.numbers(fields[0], "m", "t", "p"),
            let salt = Base64.bare.decode(fields[1]), (8...64).contains(salt.count),
            let tag = Base64.bare.decode(fields[2]), ImportedHashBounds.tagBytes.contains(tag.count)
        else { throw .malformed("Argon2") }
        let parameters = Argon2Parameters(memoryKiB: numbers[0], iterations: numbers[1], parallelism: numbers[2])
        try Self.check(parameters)
        self.init(variant: variant, parameters: parameters, salt: salt, tag: tag)
    }

    private static func check(_ parameters: Argon2Parameters) throws(ImportedHashRefusal) {
        let bounds = ImportedHashBounds.self
        guard parameters.isUsable, parameters.memoryBytes <= bounds.memoryBytes,
            parameters.cost * 1024 <= bounds.argon2Bytes
        else {
            throw .outOfBounds(
                "Argon2",
                allowed: "m of \(bounds.memoryBytes >> 10) with 8 a lane at least, m·t of \(bounds.argon2Bytes >> 10), "
                    + "t and p of 64 at most"
            )
        }
    }
}
