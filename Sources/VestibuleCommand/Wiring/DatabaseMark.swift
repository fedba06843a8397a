import Essentials
import Foundation
import Vestibule

/// What the server knows of its database from before, kept outside of it: without, one that has
/// vanished would look like a first start, and a new one would be made with every account gone.
struct DatabaseMark {
    private static let name = "database.mark"
    /// As the settings write it; a relative one starts in the working folder, as the mark does. Of
    /// a server, where it is.
    private let path: String
    private let isFile: Bool
    /// What the same file may be called: as written, from the root, and without symbolic links. One
    /// of them is still known where a link or the working folder has changed.
    private let spellings: [String]
    let places: [String]

    /// In development beside the key in `data`, so that a folder that was emptied is a fresh start.
    /// In production in the working folder, which outlives a `data` that is not mounted; where it
    /// cannot be written, beside the database.
    init(_ settings: Settings) {
        let production: [String]
        switch settings.databaseURL {
        case .postgres(let url):
            (path, isFile, spellings) = (url.place, false, [url.place])
            production = [Self.name]
        case .sqlite(let path):
            (self.path, isFile) = (path, true)
            (spellings, production) = Self.names(of: path)
        }
        places = settings.mode == .development ? ["data/\(Self.name)"] : production
    }

    /// How a file may be spelled, and where its mark may be.
    private static func names(of path: String) -> (spellings: [String], places: [String]) {
        let file = URL(filePath: path).absoluteURL.standardizedFileURL
        let folder = file.deletingLastPathComponent()
        let resolved = folder.resolvingSymlinksInPath().appending(path: file.lastPathComponent)
        return ([path, file.path, resolved.path], [Self.name, "\(folder.path)/\(Self.name)"])
    }

    /// Throws `CommandFailure` when this user cannot see whether the file is there, when there was
    /// a database and its file is gone or empty, or when there is none and one was elsewhere. Makes
    /// nothing.
    func checkFile() throws {
        guard isFile else { return }
        try Wiring.checkReach(path)
        guard try known() != nil else { return try checkElsewhere() }
        guard let size = FileStatus(of: path)?.size else {
            throw failure("is missing")
        }
        guard size > 0 else { throw failure("is empty") }
    }

    /// A path that was mistyped must not look like a first start.
    private func checkElsewhere() throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let others = try places.flatMap { try Self.read($0).keys }.sorted()
        guard let other = Suggestion.nearest(to: path, among: others) ?? others.first else { return }
        throw CommandFailure(
            "there is no database \(path), and the one that was here before is \(other)",
            hint: "Set VESTIBULE_DATABASE_URL to that one, or move it. To start with a new one, start once with "
                + "--new-database.")
    }

    /// Throws `CommandFailure` when the open database holds nothing, or is another one than before.
    /// One of a version that gave no id is taken for the one before.
    func check(id: String?, isBlank: Bool) throws {
        guard let known = try known() else { return }
        guard !isBlank else { throw failure("is empty") }
        guard let id, id != known else { return }
        throw failure("is another one (\(id), not \(known))")
    }

    /// Remembers the database. Returns false when no place for the mark can be written.
    func keep(id: String) -> Bool {
        let isKnown = (try? known()) == id
        let isKept = places.contains { place in
            let marks = (try? Self.read(place)) ?? [:]
            return spellings.allSatisfy { marks[$0] == id }
        }
        return isKept || places.contains { write(id, to: $0) } || isKnown
    }

    private func write(_ id: String, to place: String) -> Bool {
        var marks = (try? Self.read(place)) ?? [:]
        for spelling in spellings { marks[spelling] = id }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            // The write says what is wrong with its folder.
            _ = PrivateFolder.make(URL(filePath: place).deletingLastPathComponent().path)
            try encoder.encode(marks).write(to: URL(filePath: place), options: .atomic)
            return true
        } catch {
            return false
        }
    }

    /// The id of the database that was at that path. Throws `CommandFailure` for a mark that cannot
    /// be read.
    private func known() throws -> String? {
        for place in places {
            let marks = try Self.read(place)
            if let id = spellings.lazy.compactMap({ marks[$0] }).first { return id }
        }
        return nil
    }

    /// Ids of databases by their paths.
    private static func read(_ place: String) throws -> [String: String] {
        guard FileManager.default.fileExists(atPath: place) else { return [:] }
        guard access(place, R_OK) == 0 else {
            throw CommandFailure(
                "\(place), which says which database was here, cannot be read: this user may not",
                hint: "Run this as the server's user. If this is that user, as root give it the file: chown.")
        }
        guard let data = FileManager.default.contents(atPath: place),
            let marks = try? JSONDecoder().decode([String: String].self, from: data)
        else {
            throw CommandFailure(
                "\(place), which says which database was here, cannot be read",
                hint: "Restore it, or start once with --new-database, which writes it anew.")
        }
        return marks
    }

    private func failure(_ what: String) -> CommandFailure {
        CommandFailure(
            "the database \(path) that was here before \(what)",
            hint: "Mount or restore it. To start with a new one, or to take the one that is there now, start once with "
                + "--new-database.")
    }
}
