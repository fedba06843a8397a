/// One verification, whose cost does not tell why it fails.
package struct PasswordCheck: Sendable {
    package let password: Password
    /// Today's.
    package let parameters: Argon2Parameters
    package let balance: WorkBalance
    /// For work whose result nobody reads.
    package let salt: [UInt8]

    /// Whether the password made the hash of these parts; with none it works as hard and answers false.
    package func run(against parts: PasswordHashParts?) throws -> Bool {
        let start = ThreadTime.now
        guard let parts else {
            try spend(parameters)
            balance.noteToday(seconds: ThreadTime.now - start)
            return false
        }
        let tag = try Argon2.tag(
            of: password, salt: parts.salt, parameters: parts.parameters, bytes: parts.tag.count
        )
        // A right password needs no topping up: signing in tells, and it is hashed anew anyway.
        if ConstantTime.equal(tag, parts.tag) { return true }
        try topUp(parts.parameters, since: start)
        return false
    }

    private func topUp(_ used: Argon2Parameters, since start: Double) throws {
        let between = ThreadTime.now
        if used == parameters {
            balance.noteToday(seconds: between - start)
        } else if let rest = balance.remainder(after: used) {
            try spend(rest)
            let end = ThreadTime.now
            balance.note(used, wholeSeconds: end - start, restSeconds: end - between)
        }
    }

    private func spend(_ parameters: Argon2Parameters) throws {
        _ = try Argon2.tag(of: password, salt: salt, parameters: parameters)
    }
}
