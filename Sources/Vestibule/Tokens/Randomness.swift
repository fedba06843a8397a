/// Where every random byte comes from: the system's CSPRNG in the product, a seeded one in tests.
package struct Randomness: Sendable {
    /// Returns that many unpredictable bytes.
    package let bytes: @Sendable (_ count: Int) -> [UInt8]

    package init(bytes: @escaping @Sendable (_ count: Int) -> [UInt8]) {
        self.bytes = bytes
    }

    /// The operating system's generator.
    package static let system = Randomness { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// A public id: 128 random bits as base64url; names a row, opens nothing.
    package func id() -> String {
        Base64URL.encode(bytes(16))
    }

    /// A number below `bound`, without modulo bias.
    func number(below bound: UInt32) -> UInt32 {
        let limit = UInt32.max - UInt32.max % bound
        while true {
            let drawn = bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            if drawn < limit { return drawn % bound }
        }
    }
}
