import TestSupport
package import Vestibule
package import VestibulePostgres

/// A database of its own on the server of the tests.
package struct PostgresDatabase: Sendable {
    package let url: PostgresURL
    /// Few, so that all tests together stay below what the server admits.
    private static let connections = 4

    /// An empty one.
    package static func blank() async throws -> PostgresDatabase {
        try await PostgresDatabase(PostgresServer.shared.value.makeDatabase())
    }

    /// With the newest schema.
    package static func migrated() async throws -> PostgresDatabase {
        let template = try await template.value
        return try await PostgresDatabase(PostgresServer.shared.value.makeDatabase(copying: template))
    }

    /// What the others are copied from: much faster than to migrate each.
    private static let template = Task {
        let name = try await PostgresServer.shared.value.makeDatabase()
        let store = try await PostgresDatabase(name).store()
        try await blocking {
            _ = try store.migrate()
            // A database in use is not copied.
            try store.close()
        }
        return name
    }

    private init(_ name: String) async throws {
        let text = try await PostgresServer.shared.value.url(of: name)
        guard let url = PostgresURL(text) else { throw Unreadable(url: text) }
        self.url = url
    }

    private struct Unreadable: Error {
        let url: String
    }

    /// As one node opens it.
    package func store() throws -> PostgresStore {
        try PostgresStore(url, connections: Self.connections)
    }
}
