import Dispatch
import Synchronization

extension Array where Element: Sendable {
    /// As `map`, on so many threads at once, each of which takes the next element when it is done
    /// with one; the calling thread is one of them. Throws one of the failures.
    package func map<Value: Sendable>(atOnce: Int, _ work: @Sendable (Element) throws -> Value) throws -> [Value] {
        let parts = Mutex<[Result<[(place: Int, value: Value)], any Error>]>([])
        let taken = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: atOnce) { _ in
            let part = Result {
                var done: [(place: Int, value: Value)] = []
                while let place = next(taken) { done.append((place, try work(self[place]))) }
                return done
            }
            parts.withLock { $0.append(part) }
        }
        let done = try parts.withLock { $0 }.flatMap { try $0.get() }
        return done.sorted { $0.place < $1.place }.map(\.value)
    }

    private func next(_ taken: borrowing Atomic<Int>) -> Int? {
        let place = taken.wrappingAdd(1, ordering: .relaxed).oldValue
        return place < count ? place : nil
    }
}

extension Dictionary where Key: Sendable, Value: Sendable {
    /// As `mapValues`, in the way of `Array.map(atOnce:)`; the work gets the key, too.
    package func mapValues<New: Sendable>(
        atOnce: Int, _ work: @Sendable (Key, Value) throws -> New
    ) throws -> [Key: New] {
        let made = try Array(self).map(atOnce: atOnce) { ($0.key, try work($0.key, $0.value)) }
        return Dictionary<Key, New>(uniqueKeysWithValues: made)
    }
}
