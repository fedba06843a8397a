import Foundation
import Vestibule

/// What only several nodes can have.
extension DoctorReport {
    /// In seconds; limits and leases that nodes share are shorter than minutes.
    private static let skewAtMost: TimeInterval = 1

    /// Keys of the nodes that serve, and this machine's clock beside the database server's.
    func checkNodes(_ settings: Settings, _ store: any NodeStore & HealthStore) async throws {
        if let key = try? Wiring.existingSecretKey(settings) {
            let others = try await store.nodes().unknown(to: NodeKeys(key), at: Date())
            for node in others {
                warn("nodes", "\(node.name) works with a secret key that these settings do not know")
            }
        }
        let before = Date()
        guard let server = try await store.serverTime() else { return }
        // In the middle of the question.
        let here = before.addingTimeInterval(Date().timeIntervalSince(before) / 2)
        let skew = server.timeIntervalSince(here)
        guard abs(skew) > Self.skewAtMost else { return }
        let seconds = (abs(skew) * 10).rounded() / 10
        warn("clock", "the database server's is \(seconds) s \(skew > 0 ? "ahead" : "behind"): let NTP set both")
    }
}
