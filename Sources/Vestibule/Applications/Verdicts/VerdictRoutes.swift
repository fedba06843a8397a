import Essentials
import HTTPTypes
import Hummingbird
import Logging
import Serving

/// `/authz/…`: a proxy asks whether a request may pass to an application.
struct VerdictRoutes {
    let verdicts: Verdicts
    let questions: VerdictQuestions
    let refusals: EntryRefusals
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

    private func answer(
        _ request: Request, _ context: AppContext, _ family: ForwardedRequest.Family
    ) async throws -> Response {
        let question: VerdictQuestion
        do {
            question = try questions.question(QuestionFields(request.headers), from: context.peer, family)
        } catch {
            await refusals.note(
                .verdictRefused, error.metadata.merging(["cause": "\(error.cause)"]) { $1 }, from: context.peer,
                visitor: context.visitor)
            return PlainAnswer.verdict(error.status, error.cause).response()
        }
        let outcome = try await verdicts.verdict(on: question).value
        if let answer = question.answer(outcome, to: request.headers) { return answer.response() }
        if case .nobody = outcome {
            return try ApplicationPages(web: web).sessionOver(of: question.application, at: question.origin, context)
        }
        guard case .notAdmitted(let record) = outcome else {
            await refusals.note(
                .tokenRefused, ["origin": "\(question.origin.text)"], from: context.peer, visitor: context.visitor)
            return PlainAnswer.verdict(.unauthorized, "the token is not valid here").response()
        }
        await refusals.noteEntry(
            of: record.accountID, at: ["origin": question.origin.text], from: context.peer, visitor: context.visitor)
        return request.headers.acceptsHTML
            ? try ApplicationPages(web: web).notAdmitted(
                to: question.application, record, signOut: ["action": ApplicationHostRoutes.signOutPath], context)
            : PlainAnswer.verdict(.forbidden, "not a member of the application's groups").response()
    }
}

/// What a trusted proxy asks: whether a request may pass to an application.
struct VerdictQuestion: Sendable {
    let asked: ForwardedRequest
    let family: ForwardedRequest.Family
    let application: ProtectedApplication
    /// Nil if the request shows nothing of who sends it.
    let credential: Verdicts.Credential?
    /// What the application may see of the visitor's cookies.
    let otherCookies: String

    var origin: Origin { asked.origin }
}

/// Why a question gets no verdict; it is said in the log.
struct VerdictRefusal: Error {
    let status: HTTPResponse.Status
    let cause: String
    var metadata: Logger.Metadata = [:]
}

/// Reads questions; all ways of answering them begin here.
struct VerdictQuestions: Sendable {
    let applications: Applications
    let proxies: ClientAddressFinder
    let publicOrigin: Origin

    func question(
        _ fields: QuestionFields, from peer: ClientAddress, _ family: ForwardedRequest.Family
    ) throws(VerdictRefusal) -> VerdictQuestion {
        guard proxies.isTrusted(peer) else {
            throw VerdictRefusal(status: .forbidden, cause: "a peer that is no trusted proxy asks for a verdict")
        }
        let asked: ForwardedRequest
        do {
            asked = try ForwardedRequest(fields, family)
        } catch {
            throw VerdictRefusal(
                status: .badRequest, cause: "a proxy's question cannot be answered", metadata: ["fault": "\(error)"])
        }
        guard let application = applications.application(at: asked.origin) else {
            throw VerdictRefusal(
                status: .forbidden, cause: "no application has this origin",
                metadata: ["origin": "\(asked.origin.text.showable(atMost: 200))"])
        }
        return VerdictQuestion(
            asked: asked, family: family, application: application,
            credential: credential(fields, at: asked.origin), otherCookies: SiteCookies.others(in: fields))
    }

    private func credential(_ fields: QuestionFields, at origin: Origin) -> Verdicts.Credential? {
        if let token = fields.token { return .machine(token) }
        return ApplicationCookie(at: origin, isPublicOrigin: origin == publicOrigin).token(in: fields)
            .map(Verdicts.Credential.cookie)
    }
}
