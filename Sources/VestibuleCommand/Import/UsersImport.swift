import ArgumentParser
import Essentials
import Foundation
import Vestibule

struct UsersImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Bring in accounts, with the password hashes of another system.",
        discussion: """
            FILE has one JSON object a line: {"address": "ada@example.com", "name": "Ada", "verified": true, "hash": \
            "$2b$12$…"}. Only the address must be there. All lines are checked before the first account is made, and \
            none is made when a line is refused. Each refused line is named on stderr. docs/operating/importing.md has \
            the hashes that are taken, and how authenticator apps and recovery codes come along.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The file; - reads standard input.")
    var file: String

    @Flag(help: "Check every line and change nothing.")
    var dryRun = false

    @Flag(help: "Import the other lines although some were refused.")
    var skipRefused = false

    @Flag(help: "Print the summary as JSON.")
    var json = false

    @Option(help: "Language of the accounts' mails.")
    var locale = "en"

    @OptionGroup(title: "Hashes exported from Firebase ($fbscrypt$salt$hash)") var firebase: FirebaseOptions

    func validate() throws {
        try firebase.check()
    }

    func run() async throws {
        let input = try ImportFile(file)
        try Wiring.check(language: locale)
        let project = try firebase.project()
        try await OperatorSession.open(options, json: json) { session in
            let judge = ImportJudge(
                now: Date(), locale: locale, random: .system, project: project, key: try await key(session))
            let importer = Import(
                store: session.store, judge: judge, dryRun: dryRun, skipRefused: skipRefused,
                event: Operator().event(.accountsImported))
            try report(try await summary(importer, input, session.settings), session)
        }
    }

    /// What seals second factors, or why nothing does.
    private func key(_ session: OperatorSession) async throws -> Result<SecretKey, ImportRefusal> {
        do {
            guard let key = try await session.knownSecretKey() else { return .failure(.secretKeyMissing) }
            let unopened = try await Wiring.unopened(by: key, in: session.store)
            return unopened.map { .failure(.secretKeyOther($0)) } ?? .success(key)
        } catch let failure as CommandFailure {
            return .failure(.secretKeyUnusable(failure.words))
        }
    }

    private func summary(
        _ importer: Import, _ input: ImportFile, _ settings: Settings
    ) async throws -> ImportSummary {
        var progress = ImportProgress(totalBytes: input.size)
        defer { progress.clear() }
        do {
            return try await importer.run(input.nextPiece) { progress.show($0) }
        } catch let fault as StoreUnavailable {
            // With a server, the answer to the last statement may be lost.
            let isFile = settings.databaseURL.file != nil
            throw CommandFailure(
                isFile ? "the import failed and nothing was imported: \(fault)" : "the import failed: \(fault)",
                hint: isFile
                    ? "Is there room on the disk and in the folder for temporary files (SQLITE_TMPDIR, TMPDIR)?"
                    : "Nothing was imported unless the connection was lost at the very end: `vestibule audit tail "
                        + "--kind accounts_imported` tells.")
        }
    }

    private func accounts(_ summary: ImportSummary) -> String {
        guard dryRun else { return "\(summary.imported) imported" }
        let isTaken = summary.refused == 0 || skipRefused
        return "\(isTaken ? summary.lines - summary.refused : 0) would be imported"
    }

    private func report(_ summary: ImportSummary, _ session: OperatorSession) throws {
        let lines = "line\(summary.lines == 1 ? "" : "s")"
        try session.print(summary, "\(accounts(summary)), \(summary.refused) refused, \(summary.lines) \(lines)")
        guard summary.refused == 0 || skipRefused else {
            throw CommandFailure(
                "\(summary.refused) of \(summary.lines) lines were refused; nothing was imported",
                hint: "Mend the lines named above, or import the others with --skip-refused."
            )
        }
        guard !json else { return }
        if summary.unverified > 0, session.settings.verificationRequired {
            Output.note(
                "\(summary.unverified) without \"verified\": true: cannot sign in until "
                    + "`vestibule users verify ADDRESS`, or until \"Forgot password?\" sets a new password")
        }
        if summary.unverifiedFactors > 0 {
            Output.note(
                "\(summary.unverifiedFactors) with a second factor and without \"verified\": true: "
                    + "\"Forgot password?\" removes it, `vestibule users verify ADDRESS` keeps it")
        }
        if summary.withoutHash > 0 {
            Output.note("\(summary.withoutHash) without a hash: their owners set a password with \"Forgot password?\"")
        }
    }
}
