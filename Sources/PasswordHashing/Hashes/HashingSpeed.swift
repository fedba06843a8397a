/// What one hash costs on the calling thread.
package enum HashingSpeed {
    /// Processor time in seconds: the least of three hashes, after one that meets the memory; the
    /// time that passed where the clock for it is too coarse.
    /// Throws `Argon2.Failure`.
    package static func seconds(
        _ parameters: Argon2Parameters, kernel: Argon2Kernel?
    ) throws(Argon2.Failure) -> Double {
        KeptMemory.keep(bytes: parameters.memoryBytes)
        defer { KeptMemory.release() }
        let salt = [UInt8](repeating: 0, count: Argon2.saltBytes)
        var (least, leastPassed) = (Double.infinity, Double.infinity)
        for round in 0...3 {
            let (start, startedAt) = (ThreadTime.now, ContinuousClock.now)
            _ = try Argon2.tag(of: Password("lantern"), salt: salt, parameters: parameters, kernel: kernel)
            guard round > 0 else { continue }
            least = min(least, ThreadTime.now - start)
            leastPassed = min(leastPassed, (.now - startedAt) / .seconds(1))
        }
        return least > 0 ? least : leastPassed
    }
}
