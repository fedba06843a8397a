import Foundation
public import VestibuleClient

/// Stands for a server in an app's tests and previews: accounts, codes, second factors and limits
/// in memory, and on demand any refusal, slowness or loss of network.
///
/// Codes that a server would mail are in `mailedCode(to:)`; an authenticator app always shows
/// `appCode`; a passkey is taken as it is.
public actor AuthServiceStub: AuthService {
    /// How it answers.
    public enum Behaviour: Sendable {
        /// As a server does.
        case answers
        /// Refuses each call like this.
        case refuses(Refusal)
        /// No answer arrives.
        case isLost(NetworkTrouble)
    }

    /// What an authenticator app shows.
    public static let appCode: Secret = "287082"

    var accounts: [String: StubAccount] = [:]
    var flows: [Secret: StubFlow] = [:]
    var mails: [String: Secret] = [:]
    var signedIn: String?
    var failures: [String: Int] = [:]
    /// Whether the last proof is more than ten minutes old.
    var isProofOld = false
    /// Of the next call and those after it; the last one stays.
    private var behaviours = [Behaviour.answers]
    private var delay = Duration.zero
    private var drawn = 0
    private var listeners = SessionListeners()
    private(set) var state = SessionState.signedOut {
        didSet { if state != oldValue { listeners.tell(state) } }
    }

    /// Without an account.
    public init() {}

    /// Answers like this from now on, or after so many more calls.
    public func behave(_ behaviour: Behaviour, after calls: Int = 0) {
        behaviours = Array(repeating: behaviours[0], count: calls) + [behaviour]
    }

    /// Takes so long for each answer from now on.
    public func slowDown(to delay: Duration) {
        self.delay = delay
    }

    /// The code mailed last to that address.
    public func mailedCode(to email: String) -> Secret? {
        mails[email]
    }

    /// Adds an account, without a code; returns whose it is.
    @discardableResult public func addAccount(name: String, email: String, password: Secret) -> User {
        let user = User(id: "account-\(next())", email: email, name: name, createdAt: Date())
        accounts[email] = StubAccount(user: user, password: password)
        return user
    }

    /// The terms have changed: people accept them at their next sign-in, or at the end of a
    /// sign-up that waits for its code.
    public func raiseTerms() {
        for email in accounts.keys { accounts[email]?.awaitsTerms = true }
        for flow in flows.keys { flows[flow]?.awaitsTerms = true }
    }

    /// The sign-in, and what was proved since, is more than ten minutes old: what needs a proof
    /// asks for one.
    public func ageSignIn() {
        isProofOld = true
    }

    /// Ends the session, as another device could.
    public func endSession() {
        signedIn = nil
        state = .ended
    }

    /// See `AuthService`.
    public nonisolated var sessions: AsyncStream<SessionState> {
        let (stream, listener) = AsyncStream.makeStream(of: SessionState.self)
        Task { await add(listener) }
        return stream
    }

    private func add(_ listener: AsyncStream<SessionState>.Continuation) {
        listeners.add(listener, hearing: state) { [weak self] id in Task { await self?.remove(id) } }
    }

    private func remove(_ id: UUID) {
        listeners.remove(id)
    }

    /// What every call begins with.
    func answer() async throws {
        // As slow as the test has asked for.
        try await Task.sleep(for: delay)
        switch behaviours.count > 1 ? behaviours.removeFirst() : behaviours[0] {
        case .answers: break
        case .refuses(let refusal): throw refusal
        case .isLost(let trouble): throw trouble
        }
    }

    func next() -> Int {
        drawn += 1
        return drawn
    }

    func enter(_ email: String) throws -> SignInOutcome {
        guard let account = accounts[email] else { throw Refusal.example(.invalidCredentials) }
        (signedIn, isProofOld) = (email, false)
        learn(account.awaitsTerms ? .termsWanted(account.user) : .signedIn(account.user))
        return account.awaitsTerms ? .termsWanted(account.user) : .signedIn(account.user)
    }

    func learn(_ state: SessionState) {
        self.state = state
    }
}
