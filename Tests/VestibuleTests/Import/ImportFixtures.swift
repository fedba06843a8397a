import Foundation

@testable import Essentials
@testable import PasswordHashing
@testable import Serving
@testable import Vestibule

/// An import without a command around it.
struct Importer {
    var store: any ImportStore
    var dryRun = false
    var skipRefused = false
    var project: FirebaseProject?
    var key: SecretKey?
    /// Bytes of one piece.
    var pieceBytes = 7
    var now = Date(timeIntervalSince1970: 1_795_000_000)

    /// What an import said and came to.
    struct Outcome {
        let summary: ImportSummary
        let notices: [Import.Notice]

        /// The reasons by line.
        var refused: [Int: ImportRefusal] {
            notices.reduce(into: [:]) { result, notice in
                if case .refused(let line) = notice { result[line.line] = line.refusal }
            }
        }
    }

    static var event: SecurityEvent {
        SecurityEvent(
            id: UUID().uuidString, kind: .accountsImported, accountID: nil, at: Date(), address: nil, userAgent: "")
    }

    func run(_ lines: [String]) async throws -> Outcome {
        try await run(Array(lines.joined(separator: "\n").utf8))
    }

    func run(_ file: [UInt8]) async throws -> Outcome {
        let judge = ImportJudge(
            now: now, locale: "de", random: .system, project: project,
            key: key.map { .success($0) } ?? .failure(.secretKeyMissing))
        let rule = Import(
            store: store, judge: judge, dryRun: dryRun, skipRefused: skipRefused, event: Self.event)
        var notices: [Import.Notice] = []
        var rest = file[...]
        let summary = try await rule.run {
            let piece = rest.prefix(pieceBytes)
            rest = rest.dropFirst(pieceBytes)
            return piece.isEmpty ? nil : Array(piece)
        } notify: {
            notices.append($0)
        }
        return Outcome(summary: summary, notices: notices)
    }
}

extension Store {
    /// The account of an address, as login finds it.
    func record(_ emailKey: String) async throws -> LoginRecord {
        try await loginRecord(emailKey: emailKey, failuresKey: [0])
    }
}
