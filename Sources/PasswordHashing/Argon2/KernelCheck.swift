import Bytes

/// Whether a kernel gives the tags of libargon2, for inputs nobody can foresee.
package struct KernelCheck {
    private let parameters: Argon2Parameters

    /// Hashes of those parameters are among what is compared.
    package init(parameters: Argon2Parameters) {
        self.parameters = parameters
    }

    /// Whether all tags are equal. Throws `Argon2.Failure` when there is no memory.
    package func passes(_ kernel: Argon2Kernel) throws(Argon2.Failure) -> Bool {
        for _ in 0..<100 where try !agrees(kernel, Self.randomParameters()) { return false }
        guard parameters.parallelism == 1 else { return true }
        return try agrees(kernel, parameters)
    }

    /// The first that passes. Throws as `passes` does.
    package func first(of kernels: [Argon2Kernel]) throws(Argon2.Failure) -> Argon2Kernel? {
        for kernel in kernels where try passes(kernel) { return kernel }
        return nil
    }

    /// As often 8 to 16 KiB as 256 to 512: every start pays for all hashes, and those of little
    /// memory cost little.
    private static func randomParameters() -> Argon2Parameters {
        let least = 8 << Int.random(in: 0...5)
        return Argon2Parameters(memoryKiB: .random(in: least...(2 * least)), iterations: .random(in: 1...3))
    }

    private func agrees(_ kernel: Argon2Kernel, _ parameters: Argon2Parameters) throws(Argon2.Failure) -> Bool {
        let random = Randomness.system.bytes
        let password = Password(String(decoding: random(.random(in: 0...128)).map { $0 & 0x7F }, as: UTF8.self))
        let salt = random(.random(in: 8...64))
        let tag = kernel.hash(password, salt, parameters, Argon2.tagBytes)
        return try tag == Argon2.tag(of: password, salt: salt, parameters: parameters)
    }
}
