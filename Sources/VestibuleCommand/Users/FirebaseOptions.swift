import ArgumentParser
import Vestibule

/// A Firebase project's "password hash parameters", as its console shows them.
struct FirebaseOptions: ParsableArguments {
    @Option(help: "base64_signer_key of the project.")
    var firebaseSignerKey: String?

    @Option(help: "base64_salt_separator of the project.")
    var firebaseSaltSeparator: String?

    @Option(help: "rounds of the project.")
    var firebaseRounds: Int?

    @Option(help: "mem_cost of the project.")
    var firebaseMemoryCost: Int?

    /// `nil` when none was given; throws when some are missing or wrong.
    func project() throws -> FirebaseProject? {
        let given: [Any?] = [firebaseSignerKey, firebaseSaltSeparator, firebaseRounds, firebaseMemoryCost]
        guard given.contains(where: { $0 != nil }) else { return nil }
        guard let firebaseSignerKey, let firebaseSaltSeparator, let firebaseRounds, let firebaseMemoryCost else {
            throw ValidationError("The four --firebase options are given together or not at all.")
        }
        do {
            return try FirebaseProject(
                memoryCost: firebaseMemoryCost, rounds: firebaseRounds, saltSeparator: firebaseSaltSeparator,
                signerKey: firebaseSignerKey
            )
        } catch {
            throw ValidationError("The --firebase options are not taken: \(error.reason).")
        }
    }
}
