import Foundation
import Synchronization
import Testing
import VestibuleClient
import VestibuleClientStub

/// Who is signed in, and where that is kept.
@Suite(.timeLimit(.minutes(2))) struct SessionTests {
    private static let session = #"""
        {"user": {"id": "1", "email": "ada@example.com", "email_verified": true, "name": "Ada",
        "created_at": "2026-11-21T09:30:00Z"}, "terms_required": false, "token": "new"}
        """#

    /// The next states of a stream.
    private func next(_ count: Int, of stream: AsyncStream<SessionState>) async -> [SessionState] {
        var states: [SessionState] = []
        for await state in stream {
            states.append(state)
            if states.count == count { break }
        }
        return states
    }

    @Test(arguments: Place.allCases) func `every listener hears of each change`(_ place: Place) async throws {
        let (house, email) = (try await place.house(), newAddress())
        let app = house.app()
        var (first, second) = (app.sessions.makeAsyncIterator(), app.sessions.makeAsyncIterator())
        #expect(await first.next() == .signedOut)
        #expect(await second.next() == .signedOut)
        let asked = try await app.signUp(name: "Ada", email: email, password: .good, acceptsTerms: true)
        guard case .codeWanted(let flow) = asked else { throw Unexpected(asked) }
        let outcome = try await app.verifySignUp(flow: flow, code: try await house.code(mailedTo: email))
        guard case .signedIn(let user) = outcome else { throw Unexpected(outcome) }
        #expect(await next(1, of: app.sessions) == [.signedIn(user)])
        try await app.signOut()
        for heard in [await first.next(), await second.next()] { #expect(heard == .signedIn(user)) }
        for heard in [await first.next(), await second.next()] { #expect(heard == .signedOut) }
    }

    @Test func `a session survives a restart of the app`() async throws {
        let (house, email, store) = (try await ServerHouse.shared, newAddress(), KeptToken(nil))
        _ = try await house.newcomer(email)
        _ = try await house.client(store).signIn(email: email, password: .good)
        let restarted = house.client(store)
        #expect(await next(1, of: restarted.sessions) == [.unknown])
        #expect(try await restarted.restore().user?.email == email)
        #expect(try await restarted.deviceSessions().first { $0.isCurrent }?.device == "Acme")
    }

    @Test func `a session that another device ends is forgotten`() async throws {
        let (house, email, store) = (try await ServerHouse.shared, newAddress(), KeptToken(nil))
        let other = try await house.newcomer(email)
        let app = house.client(store)
        _ = try await app.signIn(email: email, password: .good)
        for session in try await other.deviceSessions() where !session.isCurrent {
            try await other.endSession(id: session.id, currentPassword: nil)
        }
        #expect(try await refusal { try await app.factors() }.code == .sessionExpired)
        #expect(await next(1, of: app.sessions) == [.ended])
        #expect(store.load() == nil)
    }

    @Test func `two clients on one store take the tokens that the other one has renewed`() async throws {
        let (house, email, store) = (try await ServerHouse.shared, newAddress(), KeptToken(nil))
        _ = try await house.newcomer(email)
        let (one, other) = (house.client(store), house.client(store))
        _ = try await one.signIn(email: email, password: .good)
        #expect(try await other.restore().user?.email == email)
        try await one.changePassword(to: .other, currentPassword: .good)
        try await other.changePassword(to: .good, currentPassword: .other)
        #expect(try await one.restore().user?.email == email)
        for app in [one, other] { _ = try await app.factors() }
    }

    @Test func `a client that found no token takes that with which another one has signed in since`() async throws {
        let (house, email, store) = (try await ServerHouse.shared, newAddress(), KeptToken(nil))
        _ = try await house.newcomer(email)
        let (one, other) = (house.client(store), house.client(store))
        #expect(try await other.restore() == .signedOut)
        _ = try await one.signIn(email: email, password: .good)
        #expect(try await other.restore().user?.email == email)
        try await other.signOut()
        #expect(try await other.restore() == .signedOut)
    }

    @Test func `a busy server makes no client forget the token that another one has renewed`() async throws {
        let (session, store) = (Self.session, KeptToken("first"))
        let isBusy = Mutex(true)
        let wire = try Wire { request in
            func problem(_ status: String, _ code: String) -> String {
                let body = #"{"status": \#(status.prefix(3)), "detail": "x", "code": "\#(code)"}"#
                return Wire.answer(status, "application/problem+json", body)
            }
            if request.contains("Bearer first") { return problem("401 Unauthorized", "session_expired") }
            if isBusy.withLock({ $0 }) { return problem("503 Service Unavailable", "unavailable") }
            return Wire.answer("200 OK", "application/json", session)
        }
        let app = AuthClient(server: wire.url, store: store)
        #expect(await next(1, of: app.sessions) == [.unknown])
        store.keep("second")
        #expect(try await refusal { try await app.user() }.code == .unavailable)
        #expect(store.load() == "second")
        isBusy.withLock { $0 = false }
        #expect(try await app.user().email == "ada@example.com")
    }

    @Test func `nothing is done for the person that another client has signed in on the same store`() async throws {
        let (house, store) = (try await ServerHouse.shared, KeptToken(nil))
        let (ada, eve) = (newAddress(), newAddress())
        for email in [ada, eve] { _ = try await house.newcomer(email) }
        let (one, other) = (house.client(store), house.client(store))
        _ = try await one.signIn(email: ada, password: .good)
        #expect(try await other.restore().user?.email == ada)
        _ = try await one.signIn(email: eve, password: .good)
        await #expect(throws: Refusal.self) { _ = try await other.rename(to: "Ada II") }
        #expect(try await other.restore().user?.email == eve)
        #expect(try await one.user().name != "Ada II")
    }

    @Test func `signing out forgets the token even without a network`() async throws {
        let store = KeptToken("kept")
        let url = try #require(URL(string: "http://127.0.0.1:9"))
        let app = AuthClient(server: url, store: store)
        #expect(try await trouble { try await app.signOut() } == .noConnection)
        #expect(store.load() == nil)
        #expect(await next(1, of: app.sessions) == [.signedOut])
    }

    @Test(
        arguments: [
            { @Sendable app in try await app.changePassword(to: .other, currentPassword: .good) },
            { @Sendable app in _ = try await app.rename(to: "Countess") },
        ] as [@Sendable (AuthClient) async throws -> Void])
    func `somebody who signs out stays so, whatever is still on its way`(
        _ call: @escaping @Sendable (AuthClient) async throws -> Void
    ) async throws {
        let session = Self.session
        let isOut = Mutex(false)
        let wire = try Wire { request in
            guard !request.contains("sign-out") else { return "HTTP/1.1 204 No Content\r\n\r\n" }
            while !request.contains("/session "), !isOut.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.01) }
            return Wire.answer("200 OK", "application/json", session)
        }
        let store = KeptToken("old")
        let app = AuthClient(server: wire.url, store: store)
        #expect(try await app.restore().user?.name == "Ada")
        let change = Task { try await call(app) }
        try await eventually("the change") { wire.requests.count == 2 ? true : nil }
        try await app.signOut()
        isOut.withLock { $0 = true }
        try await change.value
        #expect(store.load() == nil)
        #expect(try await app.restore() == .signedOut)
    }

    @Test func `an answer to an old session ends no new one`() async throws {
        let session = Self.session
        let isIn = Mutex(false)
        let wire = try Wire { request in
            guard request.contains("factors") else { return Wire.answer("200 OK", "application/json", session) }
            while !isIn.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.01) }
            let problem = #"{"status": 401, "detail": "Please sign in to continue.", "code": "session_expired"}"#
            return Wire.answer("401 Unauthorized", "application/problem+json", problem)
        }
        let store = KeptToken("old")
        let app = AuthClient(server: wire.url, store: store)
        let late = Task { try await app.factors() }
        try await eventually("the call") { wire.requests.count == 1 ? true : nil }
        _ = try await app.signIn(email: "ada@example.com", password: .good)
        isIn.withLock { $0 = true }
        #expect(try await refusal { try await late.value }.code == .sessionExpired)
        #expect(store.load() == "new")
        #expect(await next(1, of: app.sessions)[0].user?.name == "Ada")
    }

    @Test func `terms that were raised are accepted first`() async throws {
        let (house, email) = (try await ServerHouse(), newAddress())
        _ = try await house.newcomer(email)
        let app = try await house.restarted(["VESTIBULE_TERMS_VERSION": "2"]).client()
        #expect(try await app.site().termsVersion == "2")
        guard case .termsWanted(let user) = try await app.signIn(email: email, password: .good) else {
            throw Unexpected(email)
        }
        #expect(try await refusal { try await app.factors() }.code == .termsRequired)
        #expect(try await app.restore() == .termsWanted(user))
        try await app.acceptTerms()
        #expect(await next(1, of: app.sessions) == [.signedIn(user)])
        #expect(try await app.factors() == Factors())
    }

    @Test func `who does not accept raised terms can take the data and delete the account`() async throws {
        let (house, email) = (try await ServerHouse(), newAddress())
        _ = try await house.newcomer(email)
        let stub = AuthServiceStub()
        await stub.addAccount(name: "Ada", email: email, password: .good)
        await stub.raiseTerms()
        let server = try await house.restarted(["VESTIBULE_TERMS_VERSION": "2"]).client()
        for app in [server, stub] as [any AuthService] {
            guard case .termsWanted = try await app.signIn(email: email, password: .good) else {
                throw Unexpected(email)
            }
            #expect(String(decoding: try await app.export(currentPassword: nil), as: UTF8.self).contains(email))
            try await app.deleteAccount(currentPassword: .good)
            #expect(try await app.restore() == .signedOut)
        }
    }

    @Test func `the stub has terms that change`() async throws {
        let stub = AuthServiceStub()
        let user = await stub.addAccount(name: "Ada", email: "ada@example.com", password: .good)
        await stub.raiseTerms()
        #expect(try await stub.signIn(email: user.email, password: .good) == .termsWanted(user))
        #expect(try await refusal { try await stub.factors() }.code == .termsRequired)
        try await stub.acceptTerms()
        #expect(try await stub.restore() == .signedIn(user))
    }

    @Test func `a file of tokens is its owner's alone`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "token")
        let store = FileTokenStore(file: file)
        #expect(try store.load() == nil)
        try store.keep(nil)
        for token: Secret in ["first", "second"] {
            try store.keep(token)
            #expect(try FileTokenStore(file: file).load() == token)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["token"])
        try store.keep(nil)
        #expect(try store.load() == nil)
        let nowhere = FileTokenStore(file: folder.appending(path: "none/token"))
        #expect(throws: CocoaError.self) { try nowhere.keep("lost") }
    }

    @Test func `secrets are not printed`() {
        let secret = Secret("violet")
        var dumped = ""
        dump(["a": secret], to: &dumped)
        let setup = AuthenticatorSetup(setup: "violet", key: "violet", uri: "violet")
        let proof = FactorProof.recoveryCode("violet")
        let credential = ProviderCredential(identityToken: "violet", nonce: "violet", authorizationCode: "violet")
        for text in ["\(secret)", String(reflecting: secret), dumped, "\(setup)", "\(proof)", "\(credential)"] {
            #expect(!text.contains("violet") && text.contains("•••"))
        }
    }
}
