import Foundation
import TestSupport

@testable import Essentials
@testable import Vestibule

extension ProviderStandIn {
    /// What a code comes to: a person, and at times a lie.
    struct Person: Codable {
        var sub = "001234.abcdef"
        var email: String? = "ada@example.com"
        var nonce: String?
        var challenge: String?
        var lie: String?
        /// What the userinfo endpoint answers, of digits alone the status; the token then has no
        /// address.
        var info: String?
        var size: Int?
        /// How far the provider's clock is ahead, in seconds: tests turn ours.
        var ahead: Int?
        /// What the provider's clock shows, in seconds since 1970: two codes with the same one give
        /// the same token.
        var at: Int?
        /// Whether the code was given to the app.
        var app: Bool?
        /// Makes codes of the same person differ.
        var salt = UUID().uuidString
    }

    /// Settings that make it Apple.
    var apple: [Setting: String] {
        Dictionary(
            uniqueKeysWithValues: appleSettings.compactMap { name, value in
                Setting(rawValue: name).map { ($0, value) }
            })
    }

    /// The paths it was called at by POST, and the tokens it was shown.
    func record() async throws -> [[String: String]] {
        try await tell(["record": true])["record"] as? [[String: String]] ?? []
    }

    static func code(_ person: Person) throws -> String {
        Base64URL.encode([UInt8](try JSONEncoder().encode(person)))
    }
}
