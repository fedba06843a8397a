import Hummingbird
import Serving

/// Where the pages of a code flow are.
struct CodePlace: Sendable {
    let kind: CodeFlowKind
    let path: String
    let resend: String
    let template: String
    /// The inputs' ids by field: `code`, and where a new password is chosen with it, its fields.
    let ids: [String: String]
    var codeID: String { ids["code"] ?? "main" }
}

/// Pages that ask for a code from a mail: the code, another one, or starting over. All of them do
/// that alike (`CodePage+Answers`); here is in what they differ.
protocol CodePage: Sendable {
    associatedtype Flow: CodeFlow
    /// `SignedInContext` for somebody who is signed in.
    associatedtype Context: VisitorContext & RequestContext = AppContext
    var web: Web { get }
    var place: CodePlace { get }

    /// The flow of this browser. Returns nil if there is none that has not ended.
    func pending(_ request: Request, _ context: Context) async throws -> Flow?
    /// What the page shows; `form` is what was sent, when it is shown again.
    func values(_ pending: Flow, _ form: Form?, _ context: Context) -> Values
    /// The answer to a form without a flow.
    func startOver(_ request: Request, _ context: Context) throws -> Response
    /// Where a flow without tries begins again, and what its page shows.
    func beginning(_ pending: Flow) -> (url: String, values: Values)
    /// Tries the code, and says what came of it.
    func redeem(_ pending: Flow, _ form: Form, _ request: Request, _ context: Context) async throws -> Response
    /// Sends another code. Returns false when the flow has ended.
    func resend(_ pending: Flow, _ context: Context) async throws -> Bool

    /// The form that was sent.
    func sent(_ request: Request, _ context: Context) async throws -> SubmittedForm
    /// Whether a code is what the flow waits for. True unless declared.
    func awaitsCode(_ pending: Flow) -> Bool
    /// The page without a flow. As `startOver` unless declared.
    func unknown(_ request: Request, _ context: Context) throws -> Response
    /// Another answer than the form again. Returns nil unless declared.
    func answer(
        _ refused: RefusedForm, _ pending: Flow, _ request: Request, _ context: Context
    ) throws -> Response?
    /// Where a refused form leads whose flow has ended meanwhile: the same code was sent twice, and
    /// the first one was right.
    var onward: String { get }
}

extension CodePage {
    func awaitsCode(_ pending: Flow) -> Bool { true }

    func unknown(_ request: Request, _ context: Context) throws -> Response {
        try startOver(request, context)
    }

    func answer(
        _ refused: RefusedForm, _ pending: Flow, _ request: Request, _ context: Context
    ) throws -> Response? { nil }
}

extension CodePage where Context == AppContext {
    /// Of nobody's session: the cookie of the flow says whose it is.
    func sent(_ request: Request, _ context: AppContext) async throws -> SubmittedForm {
        SubmittedForm(try await Form(request), isCurrent: true)
    }
}

extension CodePage where Context == SignedInContext {
    func sent(_ request: Request, _ context: SignedInContext) throws -> SubmittedForm { try context.sent() }
}

extension CodeAndPassword {
    /// As the fields of a page carry them.
    init(_ form: Form) {
        self.init(
            code: form["code"],
            password: NewPassword(password: form["password"], confirmation: form["password_confirmation"]))
    }
}
