public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The calls of a Vestibule server, and the session of this app.
///
/// Calls are sent once. One whose answer is lost is sent once more if it changes nothing. Redirects
/// are not followed: no other host sees the token.
public actor AuthClient: AuthService {
    private let server: URL
    private let userAgent: String?
    private let language: String?
    private let store: any TokenStore
    private let exchange: Exchange
    private(set) var token: Secret?
    private var hasLoaded = false
    /// Whether the store may still hold a token that it was to forget.
    private var holdsForgotten = false
    /// Earlier tokens of the same session, each of which was renewed.
    private var former: Set<Secret> = []
    /// Those that another process had renewed when the present one was read from the store.
    private var overtaken: Set<Secret> = []
    private var isRenewing = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var listeners = SessionListeners()
    private(set) var state = SessionState.unknown {
        didSet { if state != oldValue { listeners.tell(state) } }
    }

    /// A client of one server.
    ///
    /// - Parameters:
    ///   - server: The public URL, with the path that the server is mounted under, if any.
    ///   - store: Where the token is kept: on Apple's systems a `KeychainTokenStore`.
    ///   - userAgent: Names the app in the account's list of sessions: `Name/version`, a space in
    ///     the name as `%20`, such as `Acme/1.2`; nil leaves it to the system.
    ///   - language: Of mails and of the consent to the terms, as in `Accept-Language`: that which
    ///     the app is shown in, such as `de-AT`. Nil leaves it to the system: Apple's name those of
    ///     the device, Linux names none, which is English.
    ///   - patience: Seconds without a byte of an answer after which a call is given up; ten times
    ///     as many for the whole of it.
    public init(
        server: URL, store: any TokenStore, userAgent: String? = nil, language: String? = nil, patience: Double = 30
    ) {
        (self.server, self.store, self.userAgent, self.language) = (server, store, userAgent, language)
        exchange = Exchange(patience: patience)
    }

    deinit {
        listeners.finish()
    }

    /// Who is signed in; see `AuthService`.
    public nonisolated var sessions: AsyncStream<SessionState> {
        let (stream, listener) = AsyncStream.makeStream(of: SessionState.self)
        Task { await add(listener) }
        return stream
    }

    private func add(_ listener: AsyncStream<SessionState>.Continuation) {
        // A store that cannot be read yet leaves the state unknown.
        _ = try? loadedToken()
        listeners.add(listener, hearing: state) { [weak self] id in Task { await self?.remove(id) } }
    }

    private func remove(_ id: UUID) {
        listeners.remove(id)
    }

    /// The token, read from the store if that was not done yet.
    func loadedToken() throws -> Secret? {
        if !hasLoaded {
            token = try store.load()
            hasLoaded = true
            if token == nil { state = .signedOut }
        }
        return token
    }

    /// Reads the store once more if it held no token: another process may have signed in.
    func loadAgain() {
        guard hasLoaded, token == nil, !holdsForgotten, let kept = try? store.load() else { return }
        (token, state) = (kept, .unknown)
    }

    /// What the owner of a token was told. Not if somebody has signed in or out meanwhile.
    func learn(_ state: SessionState, with presented: Secret?) {
        if isPresent(presented) { self.state = state }
    }

    private func isPresent(_ presented: Secret?) -> Bool {
        token == presented || presented.map { overtaken.contains($0) } == true
    }

    /// Takes the token that another process has put into the store in the place of `presented`,
    /// if it still opens a session. That of another person begins anew: no call goes on with it.
    private func readAgain(insteadOf presented: Secret) async throws {
        guard token == presented, let kept = try store.load(), kept != presented else { return }
        let known = state.user?.id
        let session: CurrentSessionAnswer
        do {
            session = try await exchange.answer(
                to: request(.getSession, id: nil, nil, token: kept), isSafeToRepeat: true,
                atMost: Operation.getSession.answerAtMost
            ).value(CurrentSessionAnswer.self)
        } catch let refusal as Refusal where refusal.code == .sessionExpired { return }
        guard token == presented else { return }
        token = kept
        guard known == nil || known == session.user.id else {
            (former, overtaken) = ([], [])
            return state = session.termsRequired ? .termsWanted(session.user) : .signedIn(session.user)
        }
        overtaken.insert(presented)
        overtaken.remove(kept)
        former.remove(kept)
    }

    /// Keeps the token that an answer brought, and says who is signed in.
    func enter(_ answer: SessionAnswer) throws -> SignInOutcome {
        (token, hasLoaded, former, overtaken) = (answer.token, true, [], [])
        state = answer.termsRequired ? .termsWanted(answer.user) : .signedIn(answer.user)
        try store.keep(answer.token)
        return answer.termsRequired ? .termsWanted(answer.user) : .signedIn(answer.user)
    }

    /// Sends a call that renews the token, one after another. Not kept if somebody has signed out
    /// meanwhile.
    @discardableResult func renew(_ operation: Operation, id: String? = nil, _ body: Body) async throws -> Answer {
        await renewalEnds()
        isRenewing = true
        defer {
            isRenewing = false
            for call in waiting { call.resume() }
            waiting = []
        }
        let presented = try loadedToken()
        let answer = try await sendForToken(operation, id: id, body, renews: true)
        let session = try answer.value(SessionAnswer.self)
        if let token, isPresent(presented) {
            let before = former.union(overtaken).union([token])
            // Also when the store cannot keep the new token.
            defer { former = before }
            _ = try enter(session)
        }
        return answer
    }

    private func renewalEnds() async {
        while isRenewing { await withCheckedContinuation { waiting.append($0) } }
    }

    func leave(_ state: SessionState) throws {
        (token, hasLoaded, former, overtaken) = (nil, true, [], [])
        self.state = state
        holdsForgotten = true
        try store.keep(nil)
        holdsForgotten = false
    }

    /// Sends a call. Throws as `AuthService` says; a session that has ended is forgotten.
    func send(
        _ operation: Operation, id: String? = nil, _ body: Body? = nil, renews: Bool = false
    ) async throws -> Answer {
        // A store that cannot be read keeps nobody from what needs no session.
        let presented = operation.needsSession ? try loadedToken() : try? loadedToken()
        let request = try request(operation, id: id, body, token: presented)
        do {
            return try await exchange.answer(
                to: request, isSafeToRepeat: operation.isSafeToRepeat, atMost: operation.answerAtMost)
        } catch let refusal as Refusal where refusal.code == .sessionExpired {
            guard let presented else { throw refusal }
            // Another call may have renewed the token first. What was refused has done nothing.
            if !renews { await renewalEnds() }
            try await readAgain(insteadOf: presented)
            if former.contains(presented) || overtaken.contains(presented) {
                return try await send(operation, id: id, body, renews: renews)
            }
            // Not if somebody has signed in meanwhile.
            if token == presented { try leave(.ended) }
            throw refusal
        }
    }

    /// Sends a call whose answer may bring a token, and waits for it also when the caller is
    /// cancelled meanwhile: otherwise its token would be lost.
    func sendForToken(
        _ operation: Operation, id: String? = nil, _ body: Body, renews: Bool = false
    ) async throws -> Answer {
        try Task.checkCancellation()
        return try await Task { try await send(operation, id: id, body, renews: renews) }.value
    }

    private func request(_ operation: Operation, id: String?, _ body: Body?, token: Secret?) throws -> URLRequest {
        let (method, path) = operation.line
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String($0) ?? "" }
        var url = server.appending(path: "api/auth")
        // Each by itself, so that a slash in an id stays in it.
        for part in parts { url.append(component: part == "{id}" ? id ?? "" : part) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if let userAgent { request.setValue(userAgent, forHTTPHeaderField: "User-Agent") }
        if let language { request.setValue(language, forHTTPHeaderField: "Accept-Language") }
        if let token { request.setValue("Bearer \(token.text)", forHTTPHeaderField: "Authorization") }
        if let body {
            request.httpBody = try JSONEncoder().encode(body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        return request
    }
}
