import Essentials
import Serving

/// What a proof is asked for, as the page says it.
enum ProofPurpose: String, CaseIterable {
    case password, email, export, delete, sessions, passkeys, app, codes, ways, language

    /// Of a form that is sent to that path of ours.
    init(path: String) {
        let known: [(String, ProofPurpose)] = [
            ("/account/password", .password), ("/account/email", .email), ("/account/export", .export),
            ("/account/delete", .delete), ("/account/sessions", .sessions), ("/account/security/passkeys", .passkeys),
            ("/account/security/totp", .app), ("/account/security/recovery-codes", .codes),
            ("/account/language", .language),
        ]
        self = known.first { path.begins(with: $0.0) }?.1 ?? .ways
    }
}

extension Pages {
    /// The sentence about what a form of that path wants.
    func purpose(of path: String, _ context: some PageContext) -> String {
        sentence("proof.purpose.\(ProofPurpose(path: path).rawValue)", context)
    }
}
