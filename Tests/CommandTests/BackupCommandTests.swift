import Foundation
import TestSupport
import Testing

@testable import Essentials

@Suite(.timeLimit(.minutes(15)), .serialized)
struct BackupCommandTests {
    @Test func `backups of a server that is written to all the time are whole, and it serves on`() async throws {
        let program = try Program()
        let server = try await Server(program, environment: Program.easy)
        _ = try await program.signUp("ada@example.com", at: server)
        let answers = try await withThrowingTaskGroup(of: [Int].self) { group in
            for writer in 0..<4 {
                group.addTask {
                    var statuses: [Int] = []
                    while !Task.isCancelled, statuses.count < 5000 {
                        let form = "email=w\(writer).\(statuses.count)%40example.com"
                        let status = try? await server.send("/reset", form: form).status
                        // A request cut off in the end says nothing.
                        if status != nil || !Task.isCancelled { statuses.append(status ?? 0) }
                    }
                    return statuses
                }
            }
            for number in 0..<5 {
                let name = "copy-\(number).sqlite"
                let outcome = try await program.run("backup", name, "--json")
                #expect(outcome.status == 0, "\(outcome.errors)")
                let report = try outcome.objects().first
                #expect(report?["file"] as? String == name && report?["accounts"] as? Int == 1)
            }
            group.cancelAll()
            return try await group.reduce(into: []) { $0 += $1 }
        }
        // At the least, every copy was made beside a write.
        #expect(answers.count >= 5 && answers.allSatisfy { $0 == 303 })
        _ = await server.end(SIGTERM)
        for number in 0..<5 {
            let copy = ["VESTIBULE_DATABASE_URL": "sqlite:copy-\(number).sqlite"]
            let mode = try FileManager.default.attributesOfItem(atPath: "\(program.folder)/copy-\(number).sqlite")
            #expect(mode[.posixPermissions] as? Int == 0o600)
            let accounts = try await program.run("users", "list", "--json", environment: copy).objects()
            #expect(accounts.map { $0["email"] as? String } == ["ada@example.com"])
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends a backup and leaves nothing behind`(signal: Int32) async throws {
        let program = try Program()
        try await program.populate(["ada@example.com"], mailBytes: Self.bytes)
        let (process, exits) = try await stoppedNearItsBegin(program)
        // Both come before it goes on.
        kill(process, signal)
        kill(process, SIGCONT)
        #expect(await exits.first { _ in true } == 128 + signal)
        #expect(try files(program) == ["data"])
    }

    /// So many bytes that a signal is noticed long before they are copied and checked.
    private static let bytes = 96 << 20

    /// A backup that stands still and has made less than a quarter of its draft. One that was
    /// stopped later is ended, and another begun.
    private func stoppedNearItsBegin(_ program: Program) async throws -> (process: Int32, exits: AsyncStream<Int32>) {
        while true {
            let (process, _, _) = program.prepare(["backup", "copy.sqlite"], [:])
            let exits = try process.start()
            let id = process.processIdentifier
            // Another process makes the draft and can tell nobody; the end of that process ends the
            // wait.
            while process.isRunning, draftBytes(program) == nil { try await Task.sleep(for: .microseconds(200)) }
            kill(id, SIGSTOP)
            while process.isRunning, !isStopped(id) { try await Task.sleep(for: .microseconds(200)) }
            if process.isRunning, let done = draftBytes(program), done < Self.bytes / 4 { return (id, exits) }
            kill(id, SIGKILL)
            _ = await exits.first { _ in true }
            for name in try files(program) where name != "data" {
                try FileManager.default.removeItem(atPath: "\(program.folder)/\(name)")
            }
        }
    }

    private func draftBytes(_ program: Program) -> Int? {
        guard let name = try? files(program).first(where: { $0.hasSuffix(".part") }) else { return nil }
        let found = try? FileManager.default.attributesOfItem(atPath: "\(program.folder)/\(name)")
        return found?[.size] as? Int
    }

    /// Whether no thread of the process runs.
    private func isStopped(_ process: Int32) -> Bool {
        let tasks = "/proc/\(process)/task"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return !numbers.isEmpty
            && numbers.allSatisfy { number in
                let status = try? String(contentsOfFile: "\(tasks)/\(number)/status", encoding: .utf8)
                return status?.contains("State:\tT") == true
            }
    }

    private func files(_ program: Program) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: program.folder).sorted()
    }

    @Test func `a backup to standard output is whole and leaves nothing behind`() async throws {
        let program = try Program()
        try await program.populate(["ada@example.com"], mailBytes: 300_000)
        let vestibule = BuiltProgram.executable.path
        let copied = try await program.run(["-c", "'\(vestibule)' backup - > copy.sqlite"], of: "/bin/sh")
        #expect(copied.status == 0 && copied.errors.hasPrefix("-: 1 account, "), "\(copied.errors)")
        let copy = ["VESTIBULE_DATABASE_URL": "sqlite:copy.sqlite"]
        let accounts = try await program.run("users", "list", "--json", environment: copy).objects()
        #expect(accounts.map { $0["email"] as? String } == ["ada@example.com"])

        let unread = "'\(vestibule)' backup - | head -c 9 > cut; exit ${PIPESTATUS[0]}"
        let cut = try await program.run(["-c", unread], of: "/bin/bash")
        #expect(cut.status == 1 && cut.isRefusal && cut.errors.contains("the backup is incomplete"), "\(cut.errors)")
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(program.folder)/data")
        #expect(left.allSatisfy { !$0.contains("backup") }, "\(left)")
    }

    @Test func `where this user may not write, the hint says so`() async throws {
        let program = try Program()
        try await program.settle()
        try FileManager.default.createDirectory(atPath: program.folder + "/backups", withIntermediateDirectories: true)
        try program.chmod(0o555, "backups")
        let refused = try await program.runHeldBack("backup", "backups/copy.sqlite")
        #expect(refused.status == 1 && refused.isRefusal)
        #expect(refused.errors.contains("hint: This user may not write to that folder"), "\(refused.errors)")
    }

    @Test func `a backup overwrites nothing and leaves nothing half done`() async throws {
        let program = try Program()
        try await program.settle()
        for (file, hint) in [
            ("data/vestibule.sqlite", "Nothing is overwritten"), ("data/vestibule.sqlite-journal", "Name a new file"),
            ("no/such/folder", "There is no folder "),
        ] {
            let outcome = try await program.run("backup", file)
            #expect(outcome.status == 1 && outcome.isRefusal && outcome.errors.contains("no backup was made"))
            #expect(outcome.errors.contains("\nhint: \(hint)"), "\(outcome.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: program.folder) == ["data"])
    }
}
