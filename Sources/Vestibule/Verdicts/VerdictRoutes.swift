import Essentials
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Serving

/// `/authz/…`: a proxy asks whether a request may pass to an application. No answer sets a cookie.
struct VerdictRoutes {
    let verdicts: Verdicts
    let applications: Applications
    let proxies: ClientAddressFinder
    let loopbackOnly: LoopbackOnly
    let web: Web

    static let families: [String: ForwardedRequest.Family] = [
        "/authz/forward-auth": .forwarded, "/authz/auth-request": .original,
    ]
    static let paths = Set(families.keys)

    func add(to routes: some RouterMethods<AppContext>) {
        for (path, family) in Self.families {
            routes.get(RouterPath(path)) { try await answer($0, $1, family) }
        }
    }

    /// Nil if the answer takes more than the question, such as a page or a line in the log.
    func briefAnswer(
        _ request: Request, _ peer: IPAddress, _ family: ForwardedRequest.Family, _ headers: HTTPFields
    ) async throws -> Response? {
        guard loopbackOnly.admits(peer), proxies.isTrusted(peer),
            let asked = try? ForwardedRequest(request.headers, family),
            let application = applications.application(at: asked.origin)
        else { return nil }
        let outcome = try await verdicts.verdict(
            on: credential(request, at: asked.origin), for: application, at: asked.origin)
        return brief(outcome, application, asked, request, family, headers)
    }

    private func answer(
        _ request: Request, _ context: AppContext, _ family: ForwardedRequest.Family
    ) async throws -> Response {
        guard proxies.isTrusted(context.peer) else {
            return refuse(.forbidden, "a peer that is no trusted proxy asks for a verdict", context)
        }
        let asked: ForwardedRequest
        do {
            asked = try ForwardedRequest(request.headers, family)
        } catch {
            return refuse(.badRequest, "a proxy's question cannot be answered", context, ["fault": "\(error)"])
        }
        guard let application = applications.application(at: asked.origin) else {
            return refuse(
                .badRequest, "no application has this origin", context,
                ["origin": "\(asked.origin.text.showable(atMost: 200))"])
        }
        let outcome = try await verdicts.verdict(
            on: credential(request, at: asked.origin), for: application, at: asked.origin)
        if case .notAdmitted(let record) = outcome, request.headers.acceptsHTML {
            return try ApplicationPages(web: web).notAdmitted(to: application, record, context)
        }
        return brief(outcome, application, asked, request, family, Self.uncached)
            ?? plain(.forbidden, "not a member of the application's groups", Self.uncached)
    }

    /// The answer with those headers. Nil for a page.
    private func brief(
        _ outcome: Verdicts.Outcome, _ application: ProtectedApplication, _ asked: ForwardedRequest,
        _ request: Request, _ family: ForwardedRequest.Family, _ headers: HTTPFields
    ) -> Response? {
        switch outcome {
        case .passes(let identity): pass(identity, application, headers)
        case .nobody: signIn(asked, request, family, headers)
        case .notAdmitted: nil
        case .tokenRefused: plain(.unauthorized, "the token is not valid here", headers)
        }
    }

    private func credential(_ request: Request, at origin: Origin) -> Verdicts.Credential? {
        if let field = Self.token, let token = request.headers[field] { return .machine(token) }
        let cookie = ApplicationCookie(at: origin, isPublicOrigin: origin == web.publicURL.origin)
        return cookie.token(in: request).map(Verdicts.Credential.cookie)
    }

    /// 200, with every header that the application may read: one that was left out would let the
    /// client's own through.
    private func pass(
        _ identity: ApplicationIdentity, _ application: ProtectedApplication, _ headers: HTTPFields
    ) -> Response {
        var headers = headers
        if let field = Self.assertion { headers.append(HTTPField(name: field, value: identity.assertion)) }
        if application.wantsPlainHeaders {
            let values = [
                identity.subject, identity.email, identity.name, identity.groups.joined(separator: ","),
            ]
            for (field, value) in zip(Self.plainFields, values) {
                headers.append(HTTPField(name: field, value: Self.headerValue(value)))
            }
        }
        return Response(status: .ok, headers: headers)
    }

    /// Printable ASCII; all else is percent-encoded, and so is the percent sign.
    private static func headerValue(_ text: String) -> String {
        text.percentEncoded { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "%") }
    }

    /// Leads a page visit to the sign-in; everything else, such as a script's request, gets 401.
    private func signIn(
        _ asked: ForwardedRequest, _ request: Request, _ family: ForwardedRequest.Family, _ headers: HTTPFields
    ) -> Response {
        let isSafe = asked.method == "GET" || asked.method == "HEAD"
        // nginx answers 401 whatever is said here, and its configuration decides what follows.
        let namesHTML = request.headers.acceptsHTML || family == .original && request.headers[.accept] == nil
        guard isSafe, namesHTML, request.headers.isNavigation else {
            return plain(.unauthorized, "sign in first", headers)
        }
        var response =
            family == .original
            ? plain(.unauthorized, "sign in first", headers) : Response(status: .seeOther, headers: headers)
        response.headers[.location] =
            "\(asked.origin.text)\(ApplicationHostRoutes.prefix)/start?to="
            + asked.target.text.queryEncoded
        return response
    }

    private func refuse(
        _ status: HTTPResponse.Status, _ message: Logger.Message, _ context: AppContext,
        _ metadata: Logger.Metadata = [:]
    ) -> Response {
        web.audit.write(
            .warning, "verdict_refused", from: context.peer.description,
            metadata.merging(["cause": "\(message)"]) { $1 })
        return plain(status, "\(message)", Self.uncached)
    }

    private func plain(_ status: HTTPResponse.Status, _ text: String, _ headers: HTTPFields) -> Response {
        var headers = headers
        headers.append(HTTPField(name: .contentType, value: "text/plain; charset=utf-8"))
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text + "\n")))
    }

    private static let uncached: HTTPFields = [.cacheControl: "no-store"]

    private static let token = HTTPField.Name("Vestibule-Token")
    private static let assertion = HTTPField.Name("Vestibule-Assertion")
    /// In the order of `pass`.
    private static let plainFields = ["Remote-User", "Remote-Email", "Remote-Name", "Remote-Groups"].compactMap {
        HTTPField.Name($0)
    }
}
