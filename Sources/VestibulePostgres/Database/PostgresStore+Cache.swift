extension PostgresStore {
    package var isCacheTrusted: Bool { changes.isTrusted }

    package func isCacheCurrent() async throws -> Bool {
        if changes.isTrusted { return true }
        guard changes.begin() else { return false }
        do {
            try await readOne { [changes] in try changes.ask($0) }
        } catch {
            changes.end()
            throw error
        }
        return changes.isTrusted
    }
}
