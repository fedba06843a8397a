package import Foundation
package import Vestibule

extension OutboxStore where Self: AdministrationStore {
    /// When the next mail is due, or the lease of one that is being sent is over; nil when none
    /// waits.
    package func nextMailDue() async throws -> Date? {
        try await outboxEntries(to: nil, after: nil, onlyFailed: false, limit: 1000).compactMap { entry in
            switch entry.state {
            case .waiting(let nextTry): nextTry
            case .sending(let until): until
            case .failed: nil
            }
        }.min()
    }
}
