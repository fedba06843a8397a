import Testing

@testable import Bytes
@testable import PasswordHashing

/// What is added to a hash of half today's memory, on machines where today's takes 20 ms.
@Suite("Work balance")
struct WorkBalanceTests {
    private static let today = 0.020
    private static let todayKiB = 19456
    private let old = Argon2Parameters(memoryKiB: todayKiB / 2)
    private let balance = WorkBalance(today: Argon2Parameters())

    private var added: Int { balance.remainder(after: old)?.memoryKiB ?? 0 }

    /// How long a machine takes for the old hash, and for each KiB that is added to it.
    struct Machine: Sendable {
        let old: Double
        let perKiB: Double

        /// What must be added there.
        var right: Double { (WorkBalanceTests.today - old) / perKiB }
    }

    private static let machines = [
        // A block costs the same in each.
        Machine(old: 0.010, perKiB: 0.020 / 19456),
        // Less memory fits the cache: both are cheaper than their share, by a tenth.
        Machine(old: 0.009, perKiB: 0.018 / 19456),
        // And dearer.
        Machine(old: 0.012, perKiB: 0.024 / 19456),
    ]

    /// Somebody types a wrong password against the old hash; `scatter` is what else was done.
    private func measure(on machine: Machine, scatter: Double = 0) {
        let rest = Double(added) * machine.perKiB
        balance.note(old, wholeSeconds: machine.old + rest + scatter, restSeconds: rest)
    }

    @Test func `before today's hash was timed, blocks are counted`() {
        balance.note(old, wholeSeconds: 0.01, restSeconds: 0.005)
        #expect(added == Self.todayKiB / 2)
    }

    @Test(arguments: [19456, 65536])
    func `nothing is added to a hash that is no cheaper than today's`(memoryKiB: Int) {
        #expect(balance.remainder(after: Argon2Parameters(memoryKiB: memoryKiB)) == nil)
    }

    @Test func `what was too quick gets more`() {
        balance.noteToday(seconds: Self.today)
        // Two milliseconds were missing, and what was added took ten: it becomes a fifth more.
        balance.note(old, wholeSeconds: 0.018, restSeconds: 0.010)
        #expect(added == 11673)
    }

    @Test func `what was too slow gets less`() {
        balance.noteToday(seconds: Self.today)
        // Two of the ten milliseconds were too many: it becomes a fifth less.
        balance.note(old, wholeSeconds: 0.022, restSeconds: 0.010)
        #expect(added == 7782)
    }

    @Test(arguments: machines)
    func `it ends where both take as long`(machine: Machine) {
        balance.noteToday(seconds: Self.today)
        for _ in 0..<40 { measure(on: machine) }
        let whole = machine.old + Double(added) * machine.perKiB
        #expect(abs(whole - Self.today) < Self.today / 1000, "\(whole)")
    }

    @Test(arguments: machines)
    func `measurements that scatter by a fifth leave it within a tenth`(machine: Machine) {
        balance.noteToday(seconds: Self.today)
        for _ in 0..<10 { measure(on: machine) }
        for _ in 0..<20 {
            for scatter in [0.004, -0.004] {
                measure(on: machine, scatter: scatter)
                #expect(abs(Double(added) - machine.right) < machine.right / 10)
            }
        }
    }

    @Test func `a measurement gone wrong takes no more than half of it away`() {
        balance.noteToday(seconds: Self.today)
        balance.note(old, wholeSeconds: 90, restSeconds: 0.010)
        #expect(added == Self.todayKiB / 4)
    }

    @Test func `a measurement gone wrong adds no more than as much again`() {
        balance.noteToday(seconds: Self.today)
        balance.note(old, wholeSeconds: 90, restSeconds: 0.010)
        balance.note(old, wholeSeconds: 0, restSeconds: 0.001)
        #expect(added == Self.todayKiB / 2)
    }

    @Test func `what is added is never more than a hash of today's`() {
        balance.noteToday(seconds: Self.today)
        for _ in 0..<9 { balance.note(old, wholeSeconds: 0, restSeconds: 0.001) }
        #expect(added == Self.todayKiB)
    }

    @Test(arguments: machines)
    func `right measurements mend what one gone wrong has spoiled`(machine: Machine) {
        balance.noteToday(seconds: Self.today)
        for _ in 0..<10 { measure(on: machine) }
        measure(on: machine, scatter: 90)
        for _ in 0..<40 { measure(on: machine) }
        #expect(abs(Double(added) - machine.right) < machine.right / 100)
    }
}
