import Essentials

/// Brings in the accounts of another system: every line is judged and staged before the first
/// account is made.
package struct Import: Sendable {
    let store: any ImportStore
    let judge: ImportJudge
    /// Only looks.
    let dryRun: Bool
    /// Makes the other accounts although lines were refused.
    let skipRefused: Bool
    /// Kept with the accounts.
    let event: SecurityEvent

    package init(store: any ImportStore, judge: ImportJudge, dryRun: Bool, skipRefused: Bool, event: SecurityEvent) {
        (self.store, self.judge, self.dryRun, self.skipRefused) = (store, judge, dryRun, skipRefused)
        self.event = event
    }

    /// Told of while an import runs.
    package enum Notice: Sendable, Equatable {
        case refused(RefusedLine)
        /// So many lines and bytes have been looked at.
        case progress(lines: Int, bytes: Int)
        /// Everything is staged; the accounts are being made.
        case completing
    }

    /// Imports what `piece` gives, piece by piece, until it gives nothing.
    package func run(
        _ piece: () async throws -> [UInt8]?, notify: (Notice) -> Void
    ) async throws -> ImportSummary {
        try await store.beginImport()
        do {
            var summary = try await stageAll(piece, notify)
            if !dryRun, summary.refused == 0 || skipRefused {
                notify(.completing)
                try await complete(&summary, notify)
            }
            try await store.endImport()
            return summary
        } catch {
            try? await store.endImport()
            throw error
        }
    }

    /// Lines that have been judged and are still to be staged.
    private struct Batch: Sendable {
        var accounts: [StagedAccount] = []
        var refused: [RefusedLine] = []
    }

    private func stageAll(
        _ piece: () async throws -> [UInt8]?, _ notify: (Notice) -> Void
    ) async throws -> ImportSummary {
        var (summary, splitter, batch, bytes) = (ImportSummary(dryRun: dryRun), LineSplitter(), Batch(), 0)
        while let next = try await piece() {
            // While one batch is staged the next is judged, each on a thread of its own.
            let lines = splitter.split(next)
            async let following = offEventLoop { judge(lines) }
            settle(batch, try await store.stage(batch.accounts), &summary, notify)
            (batch, bytes) = (try await following, bytes + next.count)
            notify(.progress(lines: summary.lines, bytes: bytes))
        }
        for last in [batch, judge(splitter.finish().map { [$0] } ?? [])] {
            settle(last, try await store.stage(last.accounts), &summary, notify)
        }
        notify(.progress(lines: summary.lines, bytes: bytes))
        return summary
    }

    private func judge(_ lines: [LineSplitter.Line]) -> Batch {
        lines.reduce(into: Batch()) { batch, line in
            do throws(ImportRefusal) {
                if let account = try judge.judge(line) { batch.accounts.append(account) }
            } catch {
                batch.refused.append(RefusedLine(line: line.number, refusal: error))
            }
        }
    }

    private func settle(
        _ batch: Batch, _ refusedByStore: [RefusedLine], _ summary: inout ImportSummary, _ notify: (Notice) -> Void
    ) {
        let refused = (batch.refused + refusedByStore).sorted { $0.line < $1.line }
        let unstaged = Set(refusedByStore.map(\.line))
        for account in batch.accounts where !unstaged.contains(account.line) {
            if account.factors != nil, account.account.verifiedAt == nil { summary.unverifiedFactors += 1 }
            if account.passwordHash == nil {
                summary.withoutHash += 1
            } else if account.account.verifiedAt == nil {
                summary.unverified += 1
            }
        }
        summary.lines += batch.accounts.count + batch.refused.count
        summary.refused += refused.count
        for line in refused { notify(.refused(line)) }
    }

    private func complete(_ summary: inout ImportSummary, _ notify: (Notice) -> Void) async throws {
        let taken: [Int]
        switch try await store.completeImport(skipTaken: skipRefused, event: event) {
        case .done(let count, let lines): (summary.imported, taken) = (count, lines)
        case .taken(let lines): taken = lines
        }
        summary.refused += taken.count
        for line in taken { notify(.refused(RefusedLine(line: line, refusal: .taken))) }
    }
}

/// What an import came to.
package struct ImportSummary: Sendable, Equatable, Encodable {
    package internal(set) var lines = 0
    package internal(set) var refused = 0
    package internal(set) var imported = 0
    /// Lines that are taken and have a hash, but whose mailbox nobody has proved.
    package internal(set) var unverified = 0
    /// Lines that are taken and have a second factor, but whose mailbox nobody has proved.
    package internal(set) var unverifiedFactors = 0
    /// Lines that are taken and have no hash.
    package internal(set) var withoutHash = 0
    package let dryRun: Bool
}

extension SecurityEvent.Kind {
    /// Accounts of another system were brought in; of no account.
    package static let accountsImported = Self("accounts_imported", log: "user_created")
}
