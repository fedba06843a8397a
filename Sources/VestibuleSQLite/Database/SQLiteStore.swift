import GRDB
import NIOPosix
import Vestibule
package import VestibuleSQL

/// The default store: one SQLite file (WAL, `synchronous=FULL`, foreign keys), one writer, several
/// readers.
package struct SQLiteStore: SQLStore {
    let database: any DatabaseWriter
    let file: DatabaseFile?
    let node: NodeLock?
    /// Reads and writes run on these, one change of threads each; GRDB's own asynchronous queues
    /// make three.
    let readers: NIOThreadPool
    let reading: ReadQueues
    let writer: NIOThreadPool
    let writes: WriteQueue
    package let cache: ReadCache
    let watch: CommitWatch
    let damage = DamageNote()
    let walk = TableWalk { "\($0).*" }
    let sweep = CounterSweep()
    /// Never writes: sees the commits of others.
    private let watcher: DatabaseQueue?
    let checkpoints: LogCheckpoints?
    private static let readerCount = 4
    /// How long a locked file is waited for.
    static let busyMilliseconds = 2000

    /// Bytes of the sessions and account overviews read last that are kept, as estimated.
    package static let remembered = 16 << 20

    /// Opens or makes the file (0600, its folder 0700), remembering about that many bytes of what
    /// was read last. Throws `StoreUnavailable`. Does not migrate.
    package init(path: String, remembering: Int = remembered) throws {
        cache = ReadCache(mostBytes: remembering)
        do {
            try DatabaseFile.make(path)
            file = try DatabaseFile(path: path)
            node = NodeLock(besides: path)
            let besideWriter = try DatabaseQueue(path: path, configuration: Self.inAnyMode)
            try Self.refuseForeign(besideWriter)
            let pool = try DatabasePool(path: path, configuration: Self.configuration)
            database = pool
            // Opened before a new file was in WAL mode, it would move no log until it has read so.
            _ = try besideWriter.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
            let watcher = try DatabaseQueue(path: path, configuration: Self.readOnly)
            self.watcher = watcher
            watch = CommitWatch(cache: cache, watcher: watcher)
            reading = ReadQueues { try DatabaseQueue(path: path, configuration: Self.reading) }
            readers = NIOThreadPool(numberOfThreads: Self.readerCount)
            readers.start()
            writer = NIOThreadPool(numberOfThreads: 1)
            writer.start()
            let checkpoints = LogCheckpoints(connection: besideWriter, threads: readers)
            self.checkpoints = checkpoints
            writes = WriteQueue(database: pool, thread: writer, watch: watch, checkpoints: checkpoints)
        } catch let error as DatabaseError
            where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
        {
            throw StoreUnavailable("\(path) is damaged, or is not an SQLite database", .damaged)
        } catch let error as DatabaseError where error.meansFullDisk(of: path) {
            throw StoreUnavailable("\(path): the disk is full", .fullDisk)
        } catch let fault as StoreUnavailable {
            throw fault
        } catch {
            throw StoreUnavailable("\(path): \(error)", (error as? DatabaseError)?.cause(at: path))
        }
    }

    /// A store in memory, migrated, for tests.
    package init(inMemory: Void) throws {
        cache = ReadCache(mostBytes: Self.remembered)
        watch = CommitWatch(cache: cache, watcher: nil)
        let queue = try DatabaseQueue(configuration: Self.configuration)
        database = queue
        reading = ReadQueues { queue }
        file = nil
        node = nil
        watcher = nil
        checkpoints = nil
        readers = .singleton
        writer = .singleton
        writes = WriteQueue(database: queue, thread: writer, watch: watch)
        try Self.migrated.get().backup(to: queue)
    }

    /// Copied for each store in memory: a thousand tests would make it anew.
    private static let migrated = Result {
        let queue = try DatabaseQueue(configuration: configuration)
        try Schema.migrator.migrate(queue)
        return queue
    }

    /// Closes the file; waits for what is running. The last process that closes it leaves one file:
    /// no `-wal`, no `-shm`.
    package func close() throws {
        if file != nil {
            try readers.syncShutdownGracefully()
            try writer.syncShutdownGracefully()
        }
        try watcher?.close()
        try checkpoints?.close()
        // Before the writer: a connection that cannot write cannot remove the log.
        try reading.close()
        (database as? DatabasePool)?.invalidateReadOnlyConnections()
        try database.close()
        node?.leave()
    }

    /// How many pages the file may have, so that a full disk can be tried.
    func limitPages(to count: Int) async throws {
        try await database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA max_page_count = \(count)")
        }
    }

    private static var readOnly: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(Double(busyMilliseconds) / 1000)
        return configuration
    }

    private static var reading: Configuration {
        var configuration = configuration
        configuration.readonly = true
        return configuration
    }

    private static var configuration: Configuration {
        var configuration = inAnyMode
        configuration.journalMode = .wal
        return configuration
    }

    /// Leaves the file in the mode in which it is.
    private static var inAnyMode: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(busyMilliseconds) / 1000)
        configuration.maximumReaderCount = readerCount
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            // KiB, taken as needed: the inner pages of every index of a million accounts.
            try database.execute(sql: "PRAGMA cache_size = -8192")
            try database.execute(sql: "PRAGMA secure_delete = ON")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = \(LogCheckpoints.mostPages)")
        }
        return configuration
    }
}
