import Dispatch
import Synchronization

@testable import PasswordHashing
@testable import Vestibule

extension House {
    /// Works while the one thread that hashes is busy; the house has `hashingThreads` 1.
    func whileHashing<Value>(_ work: () async throws -> Value) async throws -> Value {
        let gate = DispatchSemaphore(value: 0)
        let isHeld = Mutex(false)
        async let running: Void = services.hasher.enqueue(client: "203.0.113.1") {
            isHeld.withLock { $0 = true }
            gate.wait()
        }
        try await until { isHeld.withLock { $0 } }
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        gate.signal()
        try await running
        return try result.get()
    }
}
