import Hummingbird
import Serving

/// `DELETE user`.
struct AccountDeletionAPI {
    let stepUp: StepUpCalls
    let deletion: AccountDeletion

    func add(to routes: some RouterMethods<AppContext>) {
        // Somebody who does not accept new terms may leave.
        routes.signedInCalls(termsMayWait: true).add(middleware: stepUp).delete("/api/auth/user") { request, context in
            let typed = try await JSONBody(request).textIfSent("current_password")
            try await deletion.delete(
                context.record, password: deletion.reauthentication.currentPassword(typed, context),
                visitor: context.visitor)
            return JSONReply.nothing
        }
    }
}
