import Foundation
import HTTPTypes
import Hummingbird
import PasswordHashing
import Serving

/// What a refused form shows: the summary on top, the sentence at each field, and what was typed.
struct RefusedForm {
    private let request: RefusedRequest
    private let problems: [Values]
    private let sentences: [String: String]
    private let web: Web

    /// `nil` for a fault. `ids` are the inputs' ids by field; a refusal without a field points to
    /// `otherwise`.
    init?(
        _ error: any Error, ids: [String: String], otherwise: String, _ web: Web, _ request: Request,
        _ context: some VisitorContext
    ) {
        guard let refused = RefusedRequest(error) else { return nil }
        RefusedRequest.note(error, request, context, web.audit)
        var problems: [Values] = []
        var sentences: [String: String] = [:]
        for refusal in refused.refusals {
            let sentence = web.pages.refusal(refusal, now: web.now(), context)
            let id = refusal.field.flatMap { ids[$0] }
            problems.append(["id": id ?? otherwise, "sentence": sentence, "is_whole": id == nil])
            if let field = refusal.field { sentences[field] = sentence }
        }
        self.request = refused
        self.problems = problems
        self.sentences = sentences
        self.web = web
    }

    func contains(_ refusal: Refusal) -> Bool {
        request.refusals.contains(refusal)
    }

    /// A field as templates know it.
    func field(_ name: String, value: String? = nil) -> Values {
        var field: Values = [:]
        if let value { field["value"] = value }
        if let sentence = sentences[name] { field["error"] = sentence }
        return field
    }

    func page(_ name: String, _ values: Values, _ context: some VisitorContext) throws -> Response {
        // One that is said at its field is not said above the form, too.
        // An account without a password has no such field.
        let hasField = values["passwordless"] == nil || sentences["current_password"] == nil
        let isAlone = problems.count == 1 && problems[0]["is_whole"] as? Bool == false && hasField
        let all = values.merging(["problems": problems, "alone": isAlone]) { $1 }
        var response = try web.pages.render(name, all, context, status: request.status)
        response.headers.append(contentsOf: request.headers(now: web.now()))
        return response
    }
}

extension Pages {
    func refusal(_ refusal: Refusal, now: Date, _ context: some VisitorContext) -> String {
        let values: Values =
            switch refusal {
            case .password(.tooShort(let minimum)): ["minimum": "\(minimum)"]
            case .limited(let until, _): ["time": waiting(until: until, now: now, context)]
            case .deletionUnconfirmed: ["word": sentence("delete.word", context)]
            default: [:]
            }
        return sentence(refusal.answer.sentence, context, values)
    }

    /// How long until then, in words, rounded up: "2 minutes".
    private func waiting(until: Date, now: Date, _ context: some VisitorContext) -> String {
        let seconds = max(1, Int(until.timeIntervalSince(now).rounded(.up)))
        let (unit, length) =
            switch seconds {
            case ..<60: ("second", 1)
            case ..<3600: ("minute", 60)
            case ..<86_400: ("hour", 3600)
            default: ("day", 86_400)
            }
        let count = (seconds + length - 1) / length
        return templates.sentence("time.\(unit)", count: count, locale: context.visitor.locale)
    }
}

/// A page with a form. A refusal shows it again at the same URL, with what was typed and what is
/// wrong with it.
struct FormPage: Sendable {
    let web: Web
    let template: String
    let ids: [String: String]
    /// The input that a refusal without a field points to.
    let otherwise: String

    /// What `action` answers; when it throws a refusal, the page again with `values`.
    func answer(
        _ request: Request, _ context: some VisitorContext, _ action: () async throws -> Response,
        again values: (RefusedForm) async throws -> Values
    ) async throws -> Response {
        do {
            return try await action()
        } catch {
            return try await again(error, request, context, values)
        }
    }

    /// The page again; throws errors that are not refusals.
    func again(
        _ error: any Error, _ request: Request, _ context: some VisitorContext,
        _ values: (RefusedForm) async throws -> Values
    ) async throws -> Response {
        let refused = RefusedForm(error, ids: ids, otherwise: otherwise, web, request, context)
        guard let refused else { throw error }
        return try refused.page(template, try await values(refused), context)
    }
}
