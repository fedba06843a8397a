import Foundation
import Logging

/// Notes in the store that something has left an outbox.
struct SentNote: Sendable {
    /// Such as "mail", for the log.
    let what: String
    let logger: Logger
    let now: @Sendable () -> Date
    /// Between two tries.
    var pause: Duration = .seconds(1)

    /// Until it is noted or the lease is over: what has a row that stays goes again.
    func note(_ id: String, leaseEnd: Date, _ write: () async throws -> Void) async {
        while true {
            do {
                return try await write()
            } catch {
                let metadata: Logger.Metadata = ["\(what)": "\(id)", "error": "\(error)"]
                guard now() < leaseEnd else {
                    return logger.error(
                        "\(what) was sent and may go again: the \(what) queue cannot be written", metadata: metadata)
                }
                logger.warning("\(what) was sent, which is not noted yet", metadata: metadata)
            }
            // A database tells nobody when it is back.
            try? await Task.sleep(for: pause)
        }
    }
}
