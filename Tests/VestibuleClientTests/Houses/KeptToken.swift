import Synchronization
import VestibuleClient

/// A token store that tests look into.
final class KeptToken: TokenStore {
    private let kept: Mutex<Secret?>

    init(_ token: Secret?) {
        kept = Mutex(token)
    }

    func load() -> Secret? { kept.withLock { $0 } }

    func keep(_ token: Secret?) { kept.withLock { $0 = token } }
}
