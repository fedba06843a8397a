#if canImport(Security)
    import Foundation
    import Security

    /// Keeps the token in the keychain, on this device only, readable after the first unlock since
    /// its start. The item outlives the app: who installs it again is still signed in.
    public struct KeychainTokenStore: TokenStore {
        private let service: String

        /// `service`: what the item is called, such as the address of the server; one token each.
        public init(service: String) {
            self.service = service
        }

        /// A keychain that did not do what it was asked for.
        public struct Failure: Error, Sendable, Hashable {
            /// The `OSStatus`, such as -25308 before the first unlock.
            public let status: Int32
        }

        /// The token kept last. Throws `Failure`, also while the device is locked after a start.
        public func load() throws -> Secret? {
            var found: CFTypeRef?
            let query = item.merging([kSecReturnData as String: true]) { $1 }
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            guard status != errSecItemNotFound else { return nil }
            guard status == errSecSuccess, let data = found as? Data else { throw Failure(status: status) }
            return Secret(String(decoding: data, as: UTF8.self))
        }

        /// Keeps or removes the token. Throws `Failure`.
        public func keep(_ token: Secret?) throws {
            guard let token else {
                return try check(SecItemDelete(item as CFDictionary), or: errSecItemNotFound)
            }
            let value: [String: Any] = [
                kSecValueData as String: Data(token.text.utf8),
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            let status = SecItemUpdate(item as CFDictionary, value as CFDictionary)
            guard status == errSecItemNotFound else { return try check(status, or: errSecSuccess) }
            try check(SecItemAdd(item.merging(value) { $1 } as CFDictionary, nil), or: errSecSuccess)
        }

        private var item: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecAttrAccount as String: "vestibule", kSecUseDataProtectionKeychain as String: true,
                kSecAttrSynchronizable as String: false,
            ]
        }

        private func check(_ status: OSStatus, or other: OSStatus) throws {
            guard status == errSecSuccess || status == other else { throw Failure(status: status) }
        }
    }
#endif
