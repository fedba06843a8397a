import Essentials
import Hummingbird
import Serving

/// The page that asks for what is missing: a second factor, or the password.
struct ProofPage {
    let missing: StepUp.Missing
    let held: Token
    /// Where the form that waits was sent.
    let path: String
    let pages: StepUpPages

    private var web: Web { pages.web }

    private var form: FormPage {
        switch missing {
        case .secondFactor:
            FormPage(
                web: web, template: "account/second-proof", ids: ["code": "second-code"], otherwise: "main")
        case .firstFactor:
            FormPage(
                web: web, template: "account/proof", ids: ["current_password": "current-password"],
                otherwise: "current-password")
        }
    }

    func render(_ context: SignedInContext) async throws -> Response {
        try web.pages.render(form.template, await values(context), context)
    }

    /// Throws what `StepUp.prove` does.
    func prove(_ proof: Form, _ request: Request, _ context: SignedInContext) async throws -> StepUp.Proved {
        switch missing {
        case .secondFactor:
            let attempt = pages.challenges.attempt(proof, in: request, for: .prove(context.session.id))
            return try await pages.stepUp.prove(attempt, of: context.record, visitor: context.visitor)
        case .firstFactor:
            return try await pages.stepUp.prove(
                password: proof["current_password"], of: context.record, visitor: context.visitor)
        }
    }

    /// The page after a wrong proof; throws errors that are not refusals.
    func again(
        _ error: any Error, _ proof: Form, _ request: Request, _ context: SignedInContext
    ) async throws -> Response {
        try await form.again(error, request, context) { refused in
            try await values(context).merging([
                "code": refused.field("code", value: proof["code"]),
                "current_password": refused.field("current_password"),
            ]) { $1 }
        }
    }

    private func values(_ context: SignedInContext) async throws -> Values {
        let own = pages.own(held, path, context).merging([
            "purpose": web.pages.purpose(of: path, context),
            "lacks_secrets": ProofPurpose(path: path).takesPassword,
        ]) { $1 }
        switch missing {
        case .secondFactor(let factors): return own.merging(factors.values) { $1 }
        case .firstFactor:
            let reauthentication = pages.stepUp.reauthentication
            let returnTo = StepUpPages.path(path, held)
            return own.merging(
                try await reauthentication.values(context.record, returnTo: returnTo, web, context)
            ) { $1 }
        }
    }
}
