/// What one Argon2id hash costs (RFC 9106 section 3.1); the defaults are OWASP's for one lane.
public struct Argon2Parameters: Sendable, Hashable {
    package let memoryKiB: Int
    package let iterations: Int
    package let parallelism: Int

    /// Checked only by the hash itself, which throws: 1 to 64 passes and lanes, 8 KiB a lane to
    /// 1 GiB.
    public init(memoryKiB: Int = 19456, iterations: Int = 2, parallelism: Int = 1) {
        self.memoryKiB = memoryKiB
        self.iterations = iterations
        self.parallelism = parallelism
    }

    /// Memory of one hash in bytes.
    package var memoryBytes: Int { min(max(memoryKiB, 0), Self.mostKiB) * 1024 }

    /// Blocks written: hashing time is roughly proportional to it.
    var cost: Int { memoryKiB * iterations }

    /// Whether they are within RFC 9106 and what a stored hash may cost: at most 1 GiB, 64 passes
    /// and 64 lanes.
    var isUsable: Bool {
        (1...64).contains(parallelism) && (1...64).contains(iterations)
            && (8 * parallelism...Self.mostKiB).contains(memoryKiB)
    }

    private static let mostKiB = 1_048_576

    /// Parameters of a hash that writes this fraction of the blocks. Returns nil if it is less than
    /// Argon2's smallest hash, 8 KiB.
    func share(_ fraction: Double) -> Argon2Parameters? {
        let memory = Int(Double(memoryKiB) * min(fraction, 1))
        return memory >= 8 ? Argon2Parameters(memoryKiB: memory, iterations: iterations) : nil
    }

    /// Parameters of a second hash, which after one of `cheaper` parameters makes up the blocks of
    /// one of these. Returns nil if it is less than Argon2's smallest hash, 8 KiB, or if these
    /// cannot be used.
    func remainder(after cheaper: Argon2Parameters) -> Argon2Parameters? {
        guard isUsable else { return nil }
        let memory = (cost - cheaper.cost) / iterations
        return memory >= 8 ? Argon2Parameters(memoryKiB: memory, iterations: iterations) : nil
    }
}
