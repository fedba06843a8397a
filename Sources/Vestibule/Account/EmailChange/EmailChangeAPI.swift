import Essentials
import Hummingbird
import Serving

/// `POST user/email`, `POST user/email/verify`, `POST user/email/resend`; the change renews the
/// token.
struct EmailChangeAPI {
    let stepUp: StepUpCalls
    let change: EmailChange

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.signedInCalls().add(middleware: stepUp)
        group.post("/api/auth/user/email") { request, context in
            let body = try await JSONBody(request)
            let password = try await change.proof.currentPassword(body.textIfSent("current_password"), context)
            let flow = try await change.request(
                body.text("email"), password: password, context.record, visitor: context.visitor)
            return try JSONReply.of(JSONObject.flow(flow), status: .accepted)
        }
        group.post("/api/auth/user/email/resend") { request, context in
            let flow = try await JSONBody(request).flow()
            guard let pending = try await change.pending(flow, context.account),
                try await change.resend(pending, context.account, visitor: context.visitor)
            else { throw Refusal.flowOver }
            return JSONReply.nothing
        }
        group.post("/api/auth/user/email/verify") { request, context in
            let body = try await JSONBody(request)
            let code = try body.text("code")
            guard let pending = try await change.pending(body.flow(), context.account) else { throw Refusal.flowOver }
            let (token, _) = try await change.verify(pending, typed: code, context.record, visitor: context.visitor)
            var account = context.account
            (account.email, account.verifiedAt) = (pending.code.email, account.verifiedAt ?? context.session.proof.at)
            return try JSONReply.of(JSONObject.signedIn(token, context.session, account))
        }
    }
}
