import PasswordHashing
import Testing

@Suite struct PasswordTests {
    private let hasher = PasswordHasher(
        parameters: Argon2Parameters(memoryKiB: 64, iterations: 1), threads: 1, queueLimit: 8)

    @Test func `a password is hashed and verified`() async throws {
        let stored = try await hasher.hash(Password("lantern"), client: "192.0.2.1").phc
        #expect(stored.hasPrefix("$argon2id$v=19$m=64,t=1,p=1$"))
        let hash = PasswordHash(phc: stored)
        #expect(try await hasher.verify(Password("lantern"), against: hash, client: "192.0.2.1"))
        #expect(try await !hasher.verify(Password("lanterns"), against: hash, client: "192.0.2.1"))
        #expect(!hasher.needsRehash(hash))
    }

    /// RFC 9106 has no vector without a secret: this one is of argon2's own test.c.
    @Test func `a hash that another program made is verified`() async throws {
        let hash = PasswordHash(
            phc: "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc")
        #expect(try await hasher.verify(Password("password"), against: hash, client: "192.0.2.1"))
        #expect(hasher.needsRehash(hash))
    }

    @Test func `a password is not printed`() {
        #expect("\(Password("lantern"))" == "•••")
    }
}
