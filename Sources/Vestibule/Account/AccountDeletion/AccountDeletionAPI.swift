import Hummingbird
import Serving

/// `DELETE user`.
struct AccountDeletionAPI {
    let stepUp: StepUpCalls
    let deletion: AccountDeletion

    func add(to routes: some RouterMethods<AppContext>) {
        // Somebody who does not accept new terms may leave.
        routes.signedInCalls(termsMayWait: true).add(middleware: stepUp).delete("/api/auth/user") { request, context in
            let password = try await JSONBody(request).currentPassword()
            try await deletion.delete(context.record, password: password, visitor: context.visitor)
            return JSONReply.nothing
        }
    }
}
