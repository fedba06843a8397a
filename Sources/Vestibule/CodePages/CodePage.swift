import Hummingbird
import Serving

/// Where the pages of a code flow are.
struct CodePlace: Sendable {
    let kind: CodeFlowKind
    /// The page that asks for the code.
    let path: String
    let resend: String
    let template: String
    /// The inputs' ids by field: `code`, and where a new password is chosen with it, its fields.
    let ids: [String: String]
    var codeID: String { ids["code"] ?? "main" }
}

/// A form that was sent to a page, with the check that it is of this session, or where it leads.
enum SentForm {
    case here(Form, FormCheck)
    case elsewhere(Response)
}

/// Pages that ask for a code from a mail: the code, another one, or starting over. All of them do
/// that alike (`CodePage+Answers`); here is in what they differ.
protocol CodePage: Sendable {
    associatedtype Flow: CodeFlow
    var web: Web { get }
    var place: CodePlace { get }

    /// The flow of this browser. Returns nil if there is none that has not ended.
    func pending(_ request: Request, _ context: AppContext) async throws -> Flow?
    /// What the page shows; `form` is what was sent, when it is shown again.
    func values(_ pending: Flow, _ form: Form?, _ context: AppContext) -> Values
    /// The answer to a form without a flow.
    func startOver(_ request: Request, _ context: AppContext) throws -> Response
    /// Where a flow without tries begins again, and what its page shows.
    func beginning(_ pending: Flow) -> (url: String, values: Values)
    /// Tries the code, and says what came of it.
    func redeem(_ pending: Flow, _ form: Form, _ request: Request, _ context: AppContext) async throws -> Response
    /// Sends another code. Returns false when the flow has ended.
    func resend(_ pending: Flow, _ context: AppContext) async throws -> Bool

    /// Leads away who may not see the page. Nobody, unless declared.
    func elsewhere(_ request: Request, _ context: AppContext) -> Response?
    /// Reads a form. Without a check unless declared.
    func sent(_ request: Request, _ context: AppContext) async throws -> SentForm
    /// Whether a code is what the flow waits for. True unless declared.
    func awaitsCode(_ pending: Flow) -> Bool
    /// The page without a flow. As `startOver` unless declared.
    func unknown(_ request: Request, _ context: AppContext) throws -> Response
    /// Another answer than the form again. Returns nil unless declared.
    func answer(
        _ refused: RefusedForm, _ pending: Flow, _ request: Request, _ context: AppContext
    ) throws -> Response?
    /// The answer when the flow has ended while its form was refused. Returns nil unless declared:
    /// the form is shown again, as it was.
    func ended(_ pending: Flow) -> Response?
}

extension CodePage {
    func elsewhere(_ request: Request, _ context: AppContext) -> Response? { nil }

    func sent(_ request: Request, _ context: AppContext) async throws -> SentForm {
        .here(try await Form(request), FormCheck(isCurrent: true))
    }

    func awaitsCode(_ pending: Flow) -> Bool { true }

    func unknown(_ request: Request, _ context: AppContext) throws -> Response {
        try startOver(request, context)
    }

    func answer(
        _ refused: RefusedForm, _ pending: Flow, _ request: Request, _ context: AppContext
    ) throws -> Response? { nil }

    func ended(_ pending: Flow) -> Response? { nil }
}

extension CodeAndPassword {
    /// As the fields of a page carry them.
    init(_ form: Form) {
        self.init(
            code: form["code"],
            password: NewPassword(password: form["password"], confirmation: form["password_confirmation"]))
    }
}
