import Testing

@testable import Essentials
@testable import PasswordHashing

@Suite("Work balance")
struct WorkBalanceTests {
    private let balance = WorkBalance(today: Argon2Parameters())
    private let old = Argon2Parameters(memoryKiB: 9728)

    @Test func `it starts from the count of blocks`() {
        balance.note(old, wholeSeconds: 0.01, restSeconds: 0.005)
        #expect(balance.remainder(after: old) == Argon2Parameters(memoryKiB: 9728))
        #expect(balance.remainder(after: Argon2Parameters()) == nil)
        #expect(balance.remainder(after: Argon2Parameters(memoryKiB: 65536)) == nil)
    }

    @Test func `what was too quick gets more, what was too slow gets less`() {
        balance.noteToday(seconds: 0.020)
        balance.note(old, wholeSeconds: 0.018, restSeconds: 0.010)
        #expect(balance.remainder(after: old)?.memoryKiB == 11673)
        balance.note(old, wholeSeconds: 0.024, restSeconds: 0.010)
        #expect((9338...9339).contains(balance.remainder(after: old)?.memoryKiB ?? 0))
    }

    @Test func `a measurement gone wrong cannot spoil much`() {
        balance.noteToday(seconds: 0.020)
        balance.note(old, wholeSeconds: 90, restSeconds: 0.010)
        #expect(balance.remainder(after: old)?.memoryKiB == 4864)
        for _ in 0..<9 { balance.note(old, wholeSeconds: 0, restSeconds: 0.001) }
        #expect(balance.remainder(after: old)?.memoryKiB == 19456)
    }

    @Test func `it ends where both take as long`() {
        balance.noteToday(seconds: 0.020)
        // On this machine the old hash and what is added cost less a block than today's.
        for _ in 0..<40 {
            let rest = Double(balance.remainder(after: old)?.memoryKiB ?? 0) * 0.9e-6
            balance.note(old, wholeSeconds: 0.009 + rest, restSeconds: rest)
        }
        #expect((12_200...12_223).contains(balance.remainder(after: old)?.memoryKiB ?? 0))
    }
}
