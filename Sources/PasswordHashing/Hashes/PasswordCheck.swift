import Bytes

/// One verification, whose cost does not tell why it fails.
struct PasswordCheck: Sendable {
    let password: Password
    /// Of hashes that are made now.
    let parameters: Argon2Parameters
    let balance: WorkBalance
    /// Of the hashes that only take time: their tags are not used.
    let salt: [UInt8]
    let kernel: Argon2Kernel?
    /// Processor time of this thread, in seconds.
    let seconds: @Sendable () -> Double

    /// `balance` must be of hashes by the same kernel.
    init(
        password: Password, parameters: Argon2Parameters, balance: WorkBalance, salt: [UInt8],
        kernel: Argon2Kernel? = nil, seconds: @escaping @Sendable () -> Double = { ThreadTime.now }
    ) {
        (self.password, self.parameters, self.balance, self.salt) = (password, parameters, balance, salt)
        (self.kernel, self.seconds) = (kernel, seconds)
    }

    /// Whether the password made the hash. With a malformed one it takes as long and returns false.
    func run(against hash: PasswordHash) throws -> Bool {
        if let parts = hash.parts { return try run(against: parts) }
        let start = seconds()
        guard let foreign = hash.foreign else {
            try spendToday()
            return false
        }
        if try foreign.isMade(by: password) { return true }
        try fillUp(since: start)
        return false
    }

    private func run(against parts: PasswordHashParts) throws -> Bool {
        let start = seconds()
        let tag = try Argon2.tag(
            of: password, salt: parts.salt, parameters: parts.parameters, bytes: parts.tag.count, kernel: kernel
        )
        // A right password needs no topping up: signing in tells, and it is hashed anew anyway.
        if ConstantTime.equal(tag, parts.tag) { return true }
        try topUp(parts.parameters, since: start)
        return false
    }

    private func topUp(_ used: Argon2Parameters, since start: Double) throws {
        let between = seconds()
        if used == parameters {
            balance.noteToday(seconds: between - start)
        } else if let rest = balance.remainder(after: used) {
            try spend(rest)
            let end = seconds()
            balance.note(used, wholeSeconds: end - start, restSeconds: end - between)
        }
    }

    /// Hashes until one of today's would be done: blocks cannot be counted in another scheme's
    /// work.
    private func fillUp(since start: Double) throws {
        guard let today = balance.todaySeconds else { return try spendToday() }
        while let rest = parameters.share(1 - (seconds() - start) / today) { try spend(rest) }
    }

    private func spendToday() throws {
        let start = seconds()
        try spend(parameters)
        balance.noteToday(seconds: seconds() - start)
    }

    private func spend(_ parameters: Argon2Parameters) throws {
        _ = try Argon2.tag(of: password, salt: salt, parameters: parameters, kernel: kernel)
    }
}
