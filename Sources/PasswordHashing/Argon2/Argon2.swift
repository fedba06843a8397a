import CArgon2

/// Argon2 (RFC 9106) on the calling thread and in the memory it keeps: through a kernel where one
/// serves, else through libargon2.
public enum Argon2 {
    static let saltBytes = 16
    static let tagBytes = 32

    /// libargon2's own error code, such as -22 for no memory.
    public struct Failure: Error {
        /// As `argon2.h` names them.
        public let code: Int32
    }

    /// The tag of a password; throws `Failure` when there is no memory or the parameters are not
    /// usable.
    package static func tag(
        of password: Password, salt: [UInt8], parameters: Argon2Parameters, bytes: Int = tagBytes,
        variant: Variant = .today, kernel: Argon2Kernel? = nil
    ) throws(Failure) -> [UInt8] {
        guard parameters.isUsable else { throw Failure(code: ARGON2_INCORRECT_PARAMETER.rawValue) }
        if variant == .today, let tag = kernel?.hash(password, salt, parameters, bytes) { return tag }
        var tag = [UInt8](repeating: 0, count: bytes)
        var salt = salt
        let code = tag.withUnsafeMutableBufferPointer { tag in
            salt.withUnsafeMutableBufferPointer { salt in
                password.withUnsafeBytes { password in
                    run(variant, password: password, salt: salt, parameters: parameters, into: tag)
                }
            }
        }
        guard code == ARGON2_OK.rawValue else { throw Failure(code: code) }
        return tag
    }

    private static func run(
        _ variant: Variant, password: UnsafeRawBufferPointer, salt: UnsafeMutableBufferPointer<UInt8>,
        parameters: Argon2Parameters, into tag: UnsafeMutableBufferPointer<UInt8>
    ) -> Int32 {
        var context = argon2_context()
        context.out = tag.baseAddress
        context.outlen = UInt32(tag.count)
        // libargon2 only reads it: the flag that would wipe it is not set.
        context.pwd = UnsafeMutablePointer(mutating: password.bindMemory(to: UInt8.self).baseAddress)
        context.pwdlen = UInt32(password.count)
        context.salt = salt.baseAddress
        context.saltlen = UInt32(salt.count)
        context.m_cost = UInt32(parameters.memoryKiB)
        context.t_cost = UInt32(parameters.iterations)
        context.lanes = UInt32(parameters.parallelism)
        // Lanes are computed one after the other: the workers are all the threads hashing may use.
        context.threads = 1
        context.version = variant.version
        context.allocate_cbk = { memory, bytes in
            memory?.pointee = KeptMemory.borrow(bytes: bytes)?.assumingMemoryBound(to: UInt8.self)
            return 0
        }
        // libargon2 has wiped it.
        context.free_cbk = { memory, _ in KeptMemory.giveBack(memory, wiping: 0) }
        return argon2_ctx(&context, variant.type)
    }
}
