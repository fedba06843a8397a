import ArgumentParser
import Essentials
import Foundation
import Vestibule

/// `vestibule backup`
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the database, as it is at one moment, to a new file.",
        discussion: """
            The server may go on serving. The copy is opened and checked before it gets its name. The secret key is \
            not in it: keep that too. SIGINT and SIGTERM end it and leave no file behind. `-` writes to standard output: \
            the folder of the database needs room for the copy until all of it is written.
            """
    )

    @OptionGroup var options: OperatorOptions

    @Argument(help: "The new file; its folder must exist. `-` is standard output.")
    var file: String

    func validate() throws {
        guard !file.isEmpty else { throw ValidationError("Name the file to make.") }
    }

    func run() async throws {
        // Any schema: a backup is wanted most before an upgrade.
        try await OperatorSession.open(options.common, json: options.json, anySchema: true) { session in
            let facts = try await backUp(session)
            let accounts = "\(facts.accounts) account\(facts.accounts == 1 ? "" : "s")"
            let sentence = "\(file): \(accounts), \(facts.bytes) bytes, checked"
            guard !isStream else { return Output.note(sentence) }
            try session.print(
                ["file": file, "bytes": facts.bytes, "accounts": facts.accounts] as JSONObject, sentence)
        }
    }

    private var isStream: Bool { file == "-" }

    private func backUp(_ session: OperatorSession) async throws -> BackupFacts {
        guard !isStream || isatty(STDOUT_FILENO) == 0 else {
            throw CommandFailure(
                "a backup is not written to a terminal", hint: "Redirect it: `vestibule backup - > copy.sqlite`.")
        }
        let database = session.settings.databaseURL.file ?? ""
        let path = isStream ? "\(database)-backup-\(UUID().uuidString)" : file
        do {
            let facts = try await endingOnSignal("no backup was made", hint: "Nothing was left behind.") {
                try await session.store.backUp(to: path)
            }
            if isStream { try Self.write(path) }
            return facts
        } catch is ClosedPipe {
            throw CommandFailure(
                "the backup is incomplete: its reader closed standard output",
                hint: "What was written is no backup: delete it.")
        } catch let fault as BackupFault {
            throw CommandFailure("no backup was made: \(fault)", hint: hint(fault, session.settings))
        }
    }

    /// Writes that file to standard output and removes it.
    private static func write(_ copy: String) throws {
        let opened = Result { try FileHandle(forReadingFrom: URL(filePath: copy)) }
        // Without a name it is gone with this process, whatever ends it; so signals may end it at
        // once.
        unlink(copy)
        let (reader, output) = (try opened.get(), Output())
        try endedBySignal {
            while let piece = try reader.read(upToCount: 1 << 20), !piece.isEmpty { try output.bytes(piece) }
        }
    }

    private func hint(_ fault: BackupFault, _ settings: Settings) -> String {
        if let hint = fault.hint { return hint }
        guard settings.databaseURL.file != nil else { return "`vestibule copy` makes a database of SQLite of it, too." }
        guard access(file, F_OK) != 0 else { return "Nothing is overwritten: name a file that is not there yet." }
        let folder = URL(filePath: file).deletingLastPathComponent().path
        guard access(folder, F_OK) == 0 || errno == EACCES else {
            return "There is no folder \(folder): make it first, or name another."
        }
        guard access(folder, W_OK | X_OK) != 0, errno == EACCES else { return "Name a new file in a folder with room." }
        return
            "This user may not write to that folder: back up to one that it may write to, such as data, and move the file as root."
    }
}

extension BackupFault {
    /// What an operator does about damage; nil where there is none.
    var hint: String? {
        isDamage ? "Back up to another disk; where that fails, too, restore an earlier backup." : nil
    }
}
