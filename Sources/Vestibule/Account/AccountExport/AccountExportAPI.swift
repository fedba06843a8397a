import Essentials
import Hummingbird
import Serving

/// `POST user/export`: the file of the account page.
struct AccountExportAPI {
    let exporter: AccountExporter
    let reauthentication: Reauthentication
    let stepUp: StepUpCalls

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.signedInCalls(termsMayWait: true).add(middleware: stepUp)
        group.post("/api/auth/user/export") { request, context in
            try await reauthentication.prove(request, context)
            guard let json = try await exporter.file(for: context.record, visitor: context.visitor) else {
                throw Refusal.signInNeeded
            }
            return JSONReply.made(json)
        }
    }
}
