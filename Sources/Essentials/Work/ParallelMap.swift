import Dispatch
import Synchronization

extension Array where Element: Sendable {
    /// As `map`, on so many threads at once; the calling one does its part of the work. Throws one
    /// of the failures.
    package func map<Value: Sendable>(atOnce: Int, _ work: @Sendable (Element) throws -> Value) throws -> [Value] {
        let parts = Mutex<[Result<[(place: Int, value: Value)], any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: atOnce) { first in
            let part = Result {
                try stride(from: first, to: count, by: atOnce).map { (place: $0, value: try work(self[$0])) }
            }
            parts.withLock { $0.append(part) }
        }
        let done = try parts.withLock { $0 }.flatMap { try $0.get() }
        return done.sorted { $0.place < $1.place }.map(\.value)
    }
}
