import Foundation
import Testing
import Vestibule
import VestibuleSQLite

/// The engines the one contract is run over.
enum Engine: CaseIterable, CustomTestStringConvertible {
    case sqliteInMemory, sqliteFile

    var testDescription: String { "\(self)" }

    /// A fresh, migrated store.
    func open() throws -> any Store {
        switch self {
        case .sqliteInMemory:
            return try SQLiteStore(inMemory: ())
        case .sqliteFile:
            let store = try SQLiteStore(path: Self.temporaryFolder() + "/vestibule.sqlite")
            _ = try store.migrate()
            return store
        }
    }

    static func temporaryFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vestibule-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }
}
