import CArgon2Kernel

/// Argon2id of version 19 and one lane (RFC 9106), several times as fast as libargon2 on the
/// processors it is for.
public struct Argon2Kernel: Sendable {
    /// Returns a tag of that many bytes; nil if there is no memory, or more than one lane.
    typealias Hash = @Sendable (Password, _ salt: [UInt8], Argon2Parameters, _ bytes: Int) -> [UInt8]?

    /// The instruction set it is for, such as `avx512`.
    package let name: String
    let hash: Hash

    /// The kernels that this processor can run, the fastest first.
    public static var runningHere: [Argon2Kernel] {
        [("avx512", ARGON2_KERNEL_AVX512), ("avx2", ARGON2_KERNEL_AVX2)]
            .filter { argon2_kernel_runs_here($1) }
            .map { name, kernel in
                Argon2Kernel(name: name) { password, salt, parameters, bytes in
                    run(kernel, password, salt, parameters, bytes)
                }
            }
    }

    private static func run(
        _ kernel: argon2_kernel, _ password: Password, _ salt: [UInt8], _ parameters: Argon2Parameters, _ bytes: Int
    ) -> [UInt8]? {
        guard parameters.parallelism == 1, let memory = KeptMemory.borrow(bytes: parameters.memoryBytes) else {
            return nil
        }
        defer { KeptMemory.giveBack(memory, wiping: parameters.memoryBytes) }
        var tag = [UInt8](repeating: 0, count: bytes)
        let isDone = password.withUnsafeBytes { password in
            salt.withUnsafeBytes { salt in
                var input = argon2_kernel_input()
                input.password = lent(password)
                input.salt = lent(salt)
                input.memory_kib = UInt32(parameters.memoryKiB)
                input.passes = UInt32(parameters.iterations)
                return argon2_kernel_hash(kernel, &input, memory, &tag, UInt32(bytes))
            }
        }
        return isDone ? tag : nil
    }

    private static func lent(_ bytes: UnsafeRawBufferPointer) -> argon2_kernel_bytes {
        argon2_kernel_bytes(start: bytes.bindMemory(to: UInt8.self).baseAddress, count: UInt32(bytes.count))
    }
}
