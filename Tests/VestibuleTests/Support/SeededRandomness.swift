import Essentials
import Synchronization
import Testing

extension Randomness {
    private static let opened = Mutex<[String: UInt64]>([:])

    /// Bytes that are the same each time the running test is run alone, and others for each house
    /// that it opens, as two may share a store.
    static func ofRunningTest() -> Randomness {
        let name = Test.current.map { "\($0.id)" } ?? ""
        let house = opened.withLock { opened in
            opened[name, default: 0] += 1
            return opened[name] ?? 0
        }
        // FNV-1a: a String's own hash differs from process to process.
        let seed = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return seeded(seed &+ house)
    }

    /// SplitMix64.
    private static func seeded(_ seed: UInt64) -> Randomness {
        let state = Counter(seed)
        return Randomness { count in (0..<count).map { _ in UInt8(truncatingIfNeeded: state.next() >> 24) } }
    }

    private final class Counter: Sendable {
        private let state: Mutex<UInt64>

        init(_ seed: UInt64) {
            state = Mutex(seed &* 0x9E37_79B9_7F4A_7C15)
        }

        func next() -> UInt64 {
            var mixed = state.withLock { state in
                state &+= 0x9E37_79B9_7F4A_7C15
                return state
            }
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
