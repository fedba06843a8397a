/// What a stored hash may ask of a hashing thread, so that no imported row buys memory or time
/// without limit: a quarter of a gigabyte, and about two seconds of a core.
enum ImportedHashBounds {
    static let memoryBytes = 256 << 20
    static let bcryptCost = 4...15
    static let shaCryptRounds = 1_000...660_000
    static let pbkdf2Iterations = 1...5_000_000
    /// Bytes that scrypt writes, all lanes together.
    static let scryptBytes = 512 << 20
    static let scryptBlockSize = 1...64
    static let scryptLanes = 1...16
    /// Lengths of a tag that programs make where the form leaves them free. Any other is taken for
    /// one cut off, which would lock its owner out (Argon2) or let half a hash do (scrypt).
    static let tagBytes: Set = [16, 20, 24, 32, 48, 64]
    /// Bytes that Argon2 writes, all passes together.
    static let argon2Bytes = 2 << 30
}
