import Foundation
import Synchronization
import VerifierSupport
import VestibuleVerifier

/// A sign-in that counts how often its keys are read, and the verifier of an application behind it.
final class SignIn: Sendable {
    struct Unreachable: Error {}

    private struct State {
        var specimen = Specimen()
        var keySet: String?
        var reads = 0
        var pause = Duration.zero
    }

    private let state = Mutex(State())

    var reads: Int { state.withLock { $0.reads } }

    /// What it publishes; nil while it cannot be reached.
    func publish(_ keySet: String?) { state.withLock { $0.keySet = keySet } }

    func publish() { state.withLock { $0.keySet = $0.specimen.keySet } }

    func answers(after pause: Duration) { state.withLock { $0.pause = pause } }

    /// A good assertion, and what it is verified with from now on.
    func token(_ change: (inout Specimen) -> Void = { _ in }) throws -> String {
        try state.withLock { state in
            change(&state.specimen)
            return try state.specimen.token()
        }
    }

    func verifier() -> AssertionVerifier {
        let source = KeySource {
            let (keySet, pause) = self.state.withLock { state in
                state.reads += 1
                return (state.keySet, state.pause)
            }
            try await Task.sleep(for: pause)
            guard let keySet else { throw Unreachable() }
            return Data(keySet.utf8)
        }
        return AssertionVerifier(
            issuer: Specimen.issuer, audience: Specimen.audience, keys: source,
            now: { self.state.withLock { $0.specimen.now } })
    }

    /// The token stays good.
    func advance(by seconds: Int) throws -> String {
        try token { specimen in
            specimen.now += TimeInterval(seconds)
            let now = Int(specimen.now.timeIntervalSince1970)
            (specimen.claims["iat"], specimen.claims["exp"]) = ("\(now)", "\(now + 60)")
        }
    }
}
