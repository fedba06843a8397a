import Crypto
import Essentials
import Foundation
import Vestibule

extension Wiring {
    static let keyFile = "data/secret.key"

    /// The key of the settings, or in development that in `data/secret.key`. Returns nil if there
    /// is none yet.
    static func knownSecretKey(_ settings: Settings) throws -> SecretKey? {
        if let key = settings.secretKey { return key }
        let file = keyFile
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        guard access(file, R_OK) == 0 else {
            throw CommandFailure(
                .badConfiguration, "\(file) cannot be read: this user may not",
                hint: "Run this as the server's user, or see who owns the file.")
        }
        guard let text = try? String(contentsOfFile: file, encoding: .utf8),
            let key = SecretKey.symmetricKey(base64: text)
        else {
            throw CommandFailure(
                .badConfiguration, "\(file) is not 32 bytes of base64",
                hint: "Restore the file, or set VESTIBULE_SECRET_KEY."
            )
        }
        return SecretKey(current: key)
    }

    /// The key of the settings, or the one made before: with a new one, nothing could be opened
    /// that waits.
    static func existingSecretKey(_ settings: Settings) throws -> SecretKey {
        if let key = try knownSecretKey(settings) { return key }
        throw noSecretKey
    }

    static let noSecretKey = CommandFailure(
        .badConfiguration, "there is no secret key",
        hint: "Start the server once, which makes one, and work in its folder; or set VESTIBULE_SECRET_KEY.")

    /// Makes the first key of a database. Throws `CommandFailure` if it has had one.
    static func firstSecretKey(_ settings: Settings, of store: any Store) async throws -> SecretKey {
        // Another node may have begun to serve during the migration.
        if let lost = try await lostKey(of: store) { throw lost }
        try makeKey(keyFile)
        return try existingSecretKey(settings)
    }

    /// What is wrong with a database that is without the key that has sealed what is in it; nil if
    /// it holds no second factor and no key that signs. An older schema is taken, too.
    static func lostKey(
        of store: any StoreLifecycle & FactorSealingStore & SigningKeyStore
    ) async throws -> CommandFailure? {
        guard try !store.isBlank() else { return nil }
        let isCurrent = try store.schemaAge() == .current
        var sealed = try await store.factorsSealed(notUnder: [])
        for algorithm in SigningAlgorithm.allCases {
            do {
                sealed += try await store.signingKeys(algorithm).count
            } catch  where !isCurrent {
                // Its table may be one that a migration is still to make.
            }
        }
        guard sealed > 0 else { return nil }
        return CommandFailure(
            .badConfiguration, "there is no \(keyFile), and the database holds what the former one has sealed",
            hint: "Copy it from where the database comes from. If it is lost: "
                + "(umask 077; mkdir -p data; openssl rand -base64 32 > \(keyFile))")
    }

    static let sealedFactors = "authenticator apps and recovery codes"
    static let sealedSigningKeys = "keys that sign for applications"

    /// What of the database that key does not open: so many factors, or keys that sign. Nil if it
    /// opens all.
    static func unopened(
        by key: SecretKey, in store: any FactorSealingStore & SigningKeyStore
    ) async throws -> String? {
        func sentence(_ count: Int, of what: String) -> String? {
            count == 0 ? nil : "\(count) of the \(what) in the database cannot be opened with the secret key"
        }
        let factors = try await FactorSealing(store: store, key: key).lost()
        if let lost = sentence(factors, of: sealedFactors) { return lost }
        let keys = try await KeyRotation(store: store, secretKey: key).listAll()
        return sentence(keys.count { $0.state != .over && !$0.opens }, of: sealedSigningKeys)
    }

    private static func makeKey(_ file: String) throws {
        let text = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0).base64EncodedString() } + "\n"
        guard PrivateFolder.make("data") else {
            throw CommandFailure(
                "the folder data cannot be made: \(String(cString: strerror(errno)))",
                hint: "Start in a folder this user may write to.")
        }
        // Nobody else's from its first moment on, and whole or not there at all.
        let draft = "\(file).part"
        let handle = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        do {
            guard handle >= 0 else { throw CocoaError(.fileWriteUnknown) }
            let key = FileHandle(fileDescriptor: handle, closeOnDealloc: true)
            try key.write(contentsOf: Data(text.utf8))
            try key.synchronize()
            guard rename(draft, file) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            throw CommandFailure("\(file) cannot be written", hint: "Start in a folder this user may write to.")
        }
    }
}
