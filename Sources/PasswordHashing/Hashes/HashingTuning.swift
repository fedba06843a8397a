/// Looks for parameters whose hash takes a given time: memory first, which attackers pay most for,
/// then passes.
package struct HashingTuning {
    /// Seconds.
    private let target: Double
    private let memoryKiB: ClosedRange<Int>

    /// The memory is never less than the default's.
    package init(targetSeconds: Double, memoryKiBAtMost most: Int) {
        let least = Argon2Parameters().memoryKiB
        (target, memoryKiB) = (targetSeconds, least...max(least, min(most, 1 << 20)))
    }

    /// Never less than the default. `measure`: seconds one hash takes.
    package func parameters(_ measure: (Argon2Parameters) throws -> Double) rethrows -> Argon2Parameters {
        var found = Argon2Parameters()
        // Time is nearly proportional to memory, so that each round comes nearer.
        for _ in 0..<4 { found = next(found, factor: target / (try measure(found))) }
        return found
    }

    private func next(_ last: Argon2Parameters, factor: Double) -> Argon2Parameters {
        let passes = Argon2Parameters().iterations
        let cost = Double(last.cost) * factor
        let wholeMiB = Int(min(cost / Double(passes), Double(memoryKiB.upperBound))) / 1024 * 1024
        let memory = min(max(memoryKiB.lowerBound, wholeMiB), memoryKiB.upperBound)
        let rounds = Int((cost / Double(memory)).rounded(.down))
        return Argon2Parameters(memoryKiB: memory, iterations: min(max(passes, rounds), 64))
    }
}
