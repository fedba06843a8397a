import Bytes

/// The fields of a PHC string (github.com/P-H-C/phc-string-format); only the one canonical spelling
/// is read.
struct PasswordHashParts: Secret, Sendable {
    let parameters: Argon2Parameters
    let salt: [UInt8]
    let tag: [UInt8]

    var phc: String {
        let (memory, passes, lanes) = (parameters.memoryKiB, parameters.iterations, parameters.parallelism)
        let base64 = Base64.bare
        return "$argon2id$v=19$m=\(memory),t=\(passes),p=\(lanes)$\(base64.encode(salt))$\(base64.encode(tag))"
    }
}

extension PasswordHashParts {
    /// Returns `nil` for anything malformed or out of range.
    init?(phc: String) {
        let fields = phc.parts(by: "$")
        guard phc.utf8.count <= 512, fields.count == 6, let numbers = HashText.numbers(fields[3], "m", "t", "p"),
            let salt = Base64.bare.decode(fields[4]), (8...64).contains(salt.count),
            let tag = Base64.bare.decode(fields[5]), (16...64).contains(tag.count)
        else { return nil }
        let parameters = Argon2Parameters(memoryKiB: numbers[0], iterations: numbers[1], parallelism: numbers[2])
        self.init(parameters: parameters, salt: salt, tag: tag)
        // Writing it again settles the prefix, the order of fields, leading zeros and signs at
        // once.
        guard parameters.isUsable, self.phc.isExactly(phc) else { return nil }
    }
}
