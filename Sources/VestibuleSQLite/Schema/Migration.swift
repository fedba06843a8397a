import GRDB

/// One numbered step of the schema. Once released it stays as it is: databases have run it.
struct Migration: Sendable {
    /// Stands in the database when the step has run.
    let name: String
    let run: @Sendable (Database) throws -> Void

    init(_ name: String, run: @escaping @Sendable (Database) throws -> Void) {
        self.name = name
        self.run = run
    }

    init(_ name: String, _ statements: String...) {
        self.init(name) { database in
            for statement in statements { try database.execute(sql: statement) }
        }
    }
}
