import Serving

extension JSONBody {
    /// The object of that name, as JSON.
    func json(_ name: String) throws -> String {
        try objectIfSent(name)?.text ?? ""
    }

    /// The challenge that the options came with. Nil for one that does not count any more.
    func challenge(_ challenges: PasskeyChallenges, for purpose: PasskeyChallenges.Purpose) throws -> PasskeyChallenge?
    {
        try challenges.open(text("challenge"), for: purpose)
    }

    /// What proves a second factor: a passkey's `credential`, or else a `code`.
    func attempt(_ challenges: PasskeyChallenges, for purpose: PasskeyChallenges.Purpose) throws -> FactorAttempt {
        let credential = try json("credential")
        guard !credential.isEmpty else { return .code(try text("code")) }
        return .passkey(response: credential, try challenge(challenges, for: purpose))
    }
}
