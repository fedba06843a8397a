import Hummingbird
import Serving

extension JSONBody {
    func json(_ name: String) throws -> String {
        try objectIfSent(name)?.text ?? ""
    }

    /// The challenge that the options came with. Nil for one that does not count any more.
    func challenge(_ challenges: PasskeyChallenges, for purpose: PasskeyChallenges.Purpose) throws -> PasskeyChallenge?
    {
        try challenges.open(text("challenge"), for: purpose)
    }

    /// What proves a second factor: what `method` names; without it a passkey's `credential`, or
    /// else a `code`. Throws 400 for a method there is not.
    func attempt(_ challenges: PasskeyChallenges, for purpose: PasskeyChallenges.Purpose) throws -> FactorAttempt {
        let (method, credential) = (try method(), try json("credential"))
        guard method == .passkey || (method == nil && !credential.isEmpty) else {
            return .code(try text("code"), as: method)
        }
        return .passkey(response: credential, try challenge(challenges, for: purpose))
    }

    private func method() throws -> SecondFactor? {
        guard let name = try textIfSent("method") else { return nil }
        guard let method = SecondFactor(rawValue: name) else {
            let names = SecondFactor.allCases.map(\.rawValue)
            let all = "\(names.dropLast().joined(separator: ", ")) or \(names.suffix(1).joined())"
            throw HTTPError(.badRequest, message: "“method” must be \(all).")
        }
        return method
    }
}
