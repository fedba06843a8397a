import Essentials
import Synchronization

/// Moves everything from one store to another one, of whatever engine, and checks it: each row is
/// read again from the target and compared, before the target's transaction is committed.
package struct StoreCopy: Sendable {
    private let source: any CopyStore
    private let target: any CopyStore
    private let stop = CopyStop()
    /// Rows held in memory at a time.
    private static let rowsAtOnce = 500

    package init(from source: any CopyStore, to target: any CopyStore) {
        (self.source, self.target) = (source, target)
    }

    /// What was copied of a table.
    package struct Report: Sendable, Equatable {
        package let table: String
        package let rows: Int
        /// SHA-256 of the rows, the same in both stores.
        package let digest: String
    }

    /// How far it is: rows copied and rows compared, of all there are.
    package struct Progress: Sendable {
        package fileprivate(set) var copied = 0
        package fileprivate(set) var checked = 0
        package let total: Int
    }

    /// Why nothing was copied.
    package enum Fault: Error, Sendable, Equatable, CustomStringConvertible {
        case notEmpty(table: String)
        case otherColumns(table: String)
        /// A row of the target is not as it is in the source, or missing.
        case differs(table: String, key: String)
        /// Text with a NUL or invalid UTF-8, which an engine would cut short or change.
        case holdsBadText(table: String, key: String)

        package var description: String {
            switch self {
            case .notEmpty(let table): "the target is not empty: \(table) has rows"
            case .otherColumns(let table): "the stores have other columns in \(table)"
            case .differs(let table, let key): "a row of \(table) was not kept as it was (\(key))"
            case .holdsBadText(let table, let key):
                "a row of \(table) holds text with a NUL or invalid UTF-8 (\(key))"
            }
        }
    }

    /// Copies on a thread that may wait. Throws `Fault`, `CancellationError` soon after it was
    /// cancelled, or what an engine throws; the target is then as it was.
    package func run(_ show: @escaping @Sendable (Progress) -> Void) async throws -> [Report] {
        try await withTaskCancellationHandler {
            try await offEventLoop { Result { try copyAll(show) } }.get()
        } onCancel: {
            stop.pull()
        }
    }

    private func copyAll(_ show: @escaping (Progress) -> Void) throws -> [Report] {
        try source.reading { reader in
            try target.writing { writer in
                let tables = try check(reader, writer)
                var progress = Progress(total: try tables.reduce(0) { try $0 + reader.count($1) })
                for table in tables {
                    try copy(table, reader, writer) { rows in
                        progress.copied += rows
                        show(progress)
                    }
                }
                return try tables.map { table in
                    try compare(table, reader, writer) { rows in
                        progress.checked += rows
                        show(progress)
                    }
                }
            }
        }
    }

    /// The tables, when both stores have the same and the target holds nothing.
    private func check(_ reader: any TableReader, _ writer: any TableWriter) throws -> [CopiedTable] {
        let (tables, targets) = (try reader.tables(), try writer.tables())
        for (table, target) in zip(tables, targets) where table != target {
            throw Fault.otherColumns(table: table.name)
        }
        for table in targets where !CopiedTable.replaced.contains(table.name) {
            guard try writer.count(table) == 0 else { throw Fault.notEmpty(table: table.name) }
        }
        for table in targets where CopiedTable.replaced.contains(table.name) { try writer.deleteAll(of: table) }
        return tables
    }

    private func copy(
        _ table: CopiedTable, _ reader: any TableReader, _ writer: any TableWriter, _ note: (Int) -> Void
    ) throws {
        var rows = try reader.rows(of: table)
        while true {
            try stop.check()
            let some = try rows.next(Self.rowsAtOnce)
            guard !some.isEmpty else { return }
            try writer.insert(some, into: table)
            note(some.count)
        }
    }

    /// Row by row, in the same order.
    private func compare(
        _ table: CopiedTable, _ reader: any TableReader, _ writer: any TableWriter, _ note: (Int) -> Void
    ) throws -> Report {
        var (originals, copies) = (try reader.rows(of: table), try writer.rows(of: table))
        var (digest, count) = (RowDigest(), 0)
        while true {
            try stop.check()
            let (some, same) = (try originals.next(Self.rowsAtOnce), try copies.next(Self.rowsAtOnce))
            if some != same { throw Self.difference(some, same, table) }
            guard !some.isEmpty else { return Report(table: table.name, rows: count, digest: digest.text) }
            some.forEach { digest.add($0) }
            count += some.count
            note(some.count)
        }
    }

    private static func difference(_ some: [CopiedRow], _ same: [CopiedRow], _ table: CopiedTable) -> Fault {
        let index = zip(some, same).enumerated().first { $1.0 != $1.1 }?.offset ?? min(some.count, same.count)
        let row = index < some.count ? some[index] : same[index]
        return .differs(table: table.name, key: table.named(row))
    }
}

/// Ends a copy from another thread.
private final class CopyStop: Sendable {
    private let isPulled = Mutex(false)

    func pull() {
        isPulled.withLock { $0 = true }
    }

    /// Throws `CancellationError` once it was pulled.
    func check() throws {
        guard !isPulled.withLock({ $0 }) else { throw CancellationError() }
    }
}
