import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `POST password-reset`, `POST password-reset/verify`, `POST password-reset/resend`.
struct PasswordResetAPI {
    let reset: PasswordReset

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/api/auth/password-reset") { request, context in
            let body = try await JSONBody(request)
            let flow = try await reset.request(body.text("email"), replaces: nil, visitor: context.visitor)
            return try JSONReply.of(JSONObject.flow(flow), status: .accepted)
        }
        routes.post("/api/auth/password-reset/verify") { request, context in
            let body = try await JSONBody(request)
            let code = try body.text("code")
            let password = NewPassword(password: try body.text("password"), confirmation: nil)
            // A proof belongs to the browser that gave it: here a code is always asked for.
            guard let pending = try await reset.pending(body.flow()), !pending.isProved else { throw Refusal.flowOver }
            try await reset.redeem(
                pending, CodeAndPassword(code: code, password: password), visitor: context.visitor)
            return JSONReply.nothing
        }
        routes.post("/api/auth/password-reset/resend") { request, context in
            guard let pending = try await reset.pending(try await JSONBody(request).flow()), !pending.isProved,
                try await reset.resend(pending, visitor: context.visitor)
            else { throw Refusal.flowOver }
            return JSONReply.nothing
        }
    }
}
