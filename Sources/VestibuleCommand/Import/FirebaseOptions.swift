import ArgumentParser
import PasswordHashing

/// A Firebase project's "password hash parameters", as its console shows them.
struct FirebaseOptions: ParsableArguments {
    @Option(help: "File that holds the base64_signer_key of the project, and nothing else.")
    var firebaseSignerKeyFile: String?

    /// Not shown in the help, and refused with what to use instead.
    @Option(help: .hidden)
    var firebaseSignerKey: String?

    @Option(help: "base64_salt_separator of the project.")
    var firebaseSaltSeparator: String?

    @Option(help: "rounds of the project.")
    var firebaseRounds: Int?

    @Option(help: "mem_cost of the project.")
    var firebaseMemoryCost: Int?

    /// Throws when some are missing.
    func check() throws {
        guard firebaseSignerKey == nil else {
            throw ValidationError(
                "--firebase-signer-key shows the key to everybody on this machine: use --firebase-signer-key-file.")
        }
        let given: [Any?] = [
            firebaseSignerKeyFile, firebaseSaltSeparator, firebaseRounds, firebaseMemoryCost,
        ]
        guard given.allSatisfy({ $0 == nil }) || given.allSatisfy({ $0 != nil }) else {
            throw ValidationError("The four --firebase options are given together or not at all.")
        }
    }

    /// `nil` when none was given; throws when they are wrong or the file cannot be read.
    func project() throws -> FirebaseProject? {
        guard let firebaseSignerKeyFile, let firebaseSaltSeparator, let firebaseRounds, let firebaseMemoryCost else {
            return nil
        }
        let signerKey = try SecretFile.read(firebaseSignerKeyFile)
        do {
            return try FirebaseProject(
                memoryCost: firebaseMemoryCost, rounds: firebaseRounds, saltSeparator: firebaseSaltSeparator,
                signerKey: signerKey
            )
        } catch {
            throw ValidationError("The --firebase options are not taken: \(error.reason).")
        }
    }
}
