import Essentials
import Hummingbird
import Serving

/// `POST user/password`; the change renews the token.
struct PasswordChangeAPI {
    let stepUp: StepUpCalls
    let change: PasswordChange

    func add(to routes: some RouterMethods<AppContext>) {
        routes.signedInCalls().add(middleware: stepUp).post("/api/auth/user/password") { request, context in
            let body = try await JSONBody(request)
            let new = NewPassword(password: try body.text("password"), confirmation: nil)
            let typed = try body.textIfSent("current_password")
            // A first password is chosen with a code from the mailbox.
            guard try await change.hasPassword(context.account) else { throw Refusal.noPassword }
            let current = try await change.reauthentication.currentPassword(typed, context)
            let (renewed, _) = try await change.change(
                context.record, to: new, current: current, visitor: context.visitor)
            return try JSONReply.renewed(renewed.token, context.record)
        }
    }
}
