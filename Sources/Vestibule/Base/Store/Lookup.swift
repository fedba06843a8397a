/// What memory answers now, or the store later. An event loop may look, and must not wait.
enum Lookup<Value: Sendable>: Sendable {
    case known(Value)
    /// It is not in memory, or something has to be noted in the store.
    case asks(@Sendable () async throws -> Value)

    /// Waits for what is not known.
    var value: Value {
        get async throws {
            switch self {
            case .known(let value): value
            case .asks(let ask): try await ask()
            }
        }
    }
}
