import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Vestibule

/// Closes what each test of a suite opened through `Engine`: a store in a file has five threads,
/// and a process has no room for those of all tests.
struct ClosingStores: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal fileprivate static var opened: Opened?

    var isRecursive: Bool { true }

    fileprivate final class Opened: Sendable {
        let stores = Mutex<[any Store]>([])
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let opened = Opened()
        let result: Result<Void, any Error>
        do {
            result = .success(try await Self.$opened.withValue(opened, operation: function))
        } catch {
            result = .failure(error)
        }
        try await blocking {
            // In the order of opening: what checks a store's last commits was opened after it.
            let results = opened.stores.withLock { $0 }.map { store in Result { try store.close() } }
            for result in results { try result.get() }
        }
        try result.get()
    }
}

extension Trait where Self == ClosingStores {
    /// Stores that tests open through `Engine` are closed when the test has ended.
    static var closesStores: ClosingStores { ClosingStores() }
}

extension Store {
    /// Itself, closed when the test that runs has ended. Records an issue in a suite that is not
    /// `.closesStores`.
    func closedWithTest() -> Self {
        guard let opened = ClosingStores.opened else {
            Issue.record("This suite opens stores through Engine, so it needs the trait .closesStores.")
            return self
        }
        opened.stores.withLock { $0.append(self) }
        return self
    }
}
