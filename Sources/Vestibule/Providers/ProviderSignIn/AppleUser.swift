import Essentials
import Foundation

/// What Apple says of a person beside the token, once and unsigned: only the name is looked at,
/// never the address.
struct AppleUser: Decodable {
    private struct Name: Decodable {
        let firstName: String?
        let lastName: String?
    }

    private let name: Name?
    private static let bytesAtMost = 4096

    /// The name as one line; `nil` when there is none that could be shown.
    static func name(_ json: String) -> String? {
        guard json.utf8.count <= bytesAtMost,
            let user = try? JSONDecoder().decode(AppleUser.self, from: Data(json.utf8))
        else { return nil }
        let parts = [user.name?.firstName, user.name?.lastName].compactMap { $0?.trimmingSpaces }
        return try? DisplayName(parts.filter { !$0.isEmpty }.joined(separator: " ")).text
    }
}
