/// Where every random byte comes from: the system's CSPRNG, or what a test injects.
package struct Randomness: Sendable {
    /// Returns that many unpredictable bytes.
    package let bytes: @Sendable (_ count: Int) -> [UInt8]

    package init(bytes: @escaping @Sendable (_ count: Int) -> [UInt8]) {
        self.bytes = bytes
    }

    /// The operating system's generator.
    package static let system = Randomness { count in
        var generator = SystemRandomNumberGenerator()
        // Eight bytes a call: each call may be one to the kernel.
        return stride(from: 0, to: count, by: 8).flatMap { start in
            let word = generator.next()
            return (0..<min(8, count - start)).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
        }
    }

    /// A public id: 127 random bits as base64url; names a row, opens nothing.
    package func id() -> String { Self.id(of: bytes(16)) }

    /// Such an id of bytes that nobody can foresee.
    package static func id(of bytes: [UInt8]) -> String {
        var bytes = bytes
        // It then begins with a letter: a dash would make it an option on the command line.
        bytes[0] &= 0x7F
        return Base64URL.encode(bytes)
    }

    /// A number below `bound`, without modulo bias.
    package func number(below bound: UInt32) -> UInt32 {
        let limit = UInt32.max - UInt32.max % bound
        while true {
            let drawn = bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            if drawn < limit { return drawn % bound }
        }
    }
}
