import Essentials
import Foundation
import Vestibule

/// A signing key in a listing; nothing of it is secret.
struct KeyRow: ListedRow {
    let id: String
    /// `waiting`, `signing`, `retired` or `over`; `unreadable` without the secret key that has
    /// sealed it.
    let state: String
    let createdAt, signsFrom: Date
    /// Of a key that signs no more.
    let publishedUntil: Date?

    init(_ entry: KeyRotation.Entry) {
        id = entry.key.id
        createdAt = entry.key.createdAt
        signsFrom = entry.key.signsFrom
        let (state, end): (String, Date?) =
            switch entry.state {
            case .waiting: ("waiting", nil)
            case .signing: ("signing", nil)
            case .retired(let end): ("retired", end)
            case .over: ("over", nil)
            }
        self.state = entry.opens ? state : "unreadable"
        publishedUntil = end
    }

    static let columns = ["ID", "STATE", "CREATED (UTC)", "SIGNS FROM", "PUBLISHED UNTIL"]

    var cells: [String] { [id, state, createdAt.utc, signsFrom.utc, publishedUntil?.utc ?? "-"] }
}
