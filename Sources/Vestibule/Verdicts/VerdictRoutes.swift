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
    let web: Web

    static let paths: Set = ["/authz/forward-auth", "/authz/auth-request"]

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/authz/forward-auth") { try await answer($0, $1, .forwarded) }
        routes.get("/authz/auth-request") { try await answer($0, $1, .original) }
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
        let credential = credential(request, at: asked.origin)
        switch try await verdicts.verdict(on: credential, for: application, at: asked.origin) {
        case .passes(let identity): return pass(identity, application)
        case .nobody: return signIn(asked, request, family)
        case .notAdmitted(let record):
            return request.headers.acceptsHTML
                ? try ApplicationPages(web: web).notAdmitted(to: application, record, context)
                : plain(.forbidden, "not a member of the application's groups")
        case .tokenRefused: return plain(.unauthorized, "the token is not valid here")
        }
    }

    private func credential(_ request: Request, at origin: Origin) -> Verdicts.Credential? {
        if let field = Self.token, let token = request.headers[field] { return .machine(token) }
        let kind: SiteCookies.Kind = origin == verdicts.publicOrigin ? .session : .application
        let value = SiteCookies(publicURL: origin).value(kind, in: request)
        return value.flatMap(Token.init(presented:)).map(Verdicts.Credential.cookie)
    }

    /// 200, with every header that the application may read: one that was left out would let the
    /// client's own through.
    private func pass(_ identity: ApplicationIdentity, _ application: ProtectedApplication) -> Response {
        var headers: HTTPFields = [.cacheControl: "no-store"]
        if let field = Self.assertion { headers[field] = identity.assertion }
        if application.wantsPlainHeaders {
            let values = [
                identity.subject, identity.email, identity.name, identity.groups.joined(separator: ","),
            ]
            for (field, value) in zip(Self.plainFields, values) { headers[field] = value.percentEncodedForHeader }
        }
        return Response(status: .ok, headers: headers)
    }

    /// Leads a page visit to the sign-in; everything else, such as a script's request, gets 401.
    private func signIn(_ asked: ForwardedRequest, _ request: Request, _ family: ForwardedRequest.Family) -> Response {
        let isSafe = asked.method == "GET" || asked.method == "HEAD"
        // nginx answers 401 whatever is said here, and its configuration decides what follows.
        let namesHTML = request.headers.acceptsHTML || family == .original && request.headers[.accept] == nil
        guard isSafe, namesHTML, request.headers.isNavigation else { return plain(.unauthorized, "sign in first") }
        var response =
            family == .original ? plain(.unauthorized, "sign in first") : Response(status: .seeOther)
        response.headers[.cacheControl] = "no-store"
        response.headers[.location] =
            "\(asked.origin.text)\(ApplicationHostRoutes.prefix)/start?to="
            + ApplicationHostRoutes.encoded(asked.target.text)
        return response
    }

    private func refuse(
        _ status: HTTPResponse.Status, _ message: Logger.Message, _ context: AppContext,
        _ metadata: Logger.Metadata = [:]
    ) -> Response {
        web.audit.write(
            .warning, "verdict_refused", from: context.peer.description,
            metadata.merging(["cause": "\(message)"]) { $1 })
        return plain(status, "\(message)")
    }

    private func plain(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: text + "\n")))
    }

    private static let token = HTTPField.Name("Vestibule-Token")
    private static let assertion = HTTPField.Name("Vestibule-Assertion")
    /// In the order of `pass`.
    private static let plainFields = ["Remote-User", "Remote-Email", "Remote-Name", "Remote-Groups"].compactMap {
        HTTPField.Name($0)
    }
}

extension String {
    /// As a header's value: all but printable ASCII percent-encoded, and the percent sign (RFC 3986
    /// section 2.1).
    fileprivate var percentEncodedForHeader: String {
        guard utf8.contains(where: { !(0x20...0x7E).contains($0) || $0 == UInt8(ascii: "%") }) else { return self }
        let bytes = utf8.flatMap { byte -> [UInt8] in
            guard !(0x20...0x7E).contains(byte) || byte == UInt8(ascii: "%") else { return [byte] }
            return Array("%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
