import Essentials
import Foundation
import Vestibule

/// A machine token in a listing, without its secret.
struct TokenRow: ListedRow {
    let id, application, label: String
    let createdAt: Date
    let expiresAt, lastUsedAt: Date?

    init(_ token: MachineToken) {
        id = token.id
        application = token.application
        label = token.label
        createdAt = token.createdAt
        expiresAt = token.expiresAt
        lastUsedAt = token.lastUsedAt
    }

    static let columns = ["ID", "APPLICATION", "CREATED (UTC)", "EXPIRES", "LAST USED", "LABEL"]

    var cells: [String] {
        [id, application, createdAt.utc, expiresAt?.utc ?? "never", lastUsedAt?.utc ?? "never", label]
    }
}

extension OperatorSession {
    /// The application of that name in the settings.
    func application(_ name: String) throws -> ProtectedApplication {
        let applications = Applications(settings.applications)
        if let application = applications.application(named: name) { return application }
        let names = applications.all.map(\.name)
        throw CommandFailure(
            .failed, "there is no application \(name)",
            hint: names.isEmpty
                ? "The settings name none; see VESTIBULE_APP_<NAME>_ORIGINS."
                : "One of: \(names.joined(separator: ", ")).")
    }
}
