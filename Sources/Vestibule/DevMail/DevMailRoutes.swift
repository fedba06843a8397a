import Foundation
import Hummingbird

/// `/dev/mail`, in development only and for this machine only: the mails in the outbox folder, newest first.
struct DevMailRoutes {
    let folder: OutboxFolder
    let publicURL: Origin
    let finder: ClientAddressFinder
    let web: Web

    func add(to routes: Routes) {
        routes.get("/dev/mail") { request, context in
            guard admits(request, context) else { throw HTTPError(.forbidden) }
            let mails = try await folder.recent(limit: 50)
            let values: Values = [
                "empty": mails.isEmpty,
                "messages": mails.map { mail -> Values in
                    [
                        "subject": mail.subject, "to": mail.to, "date": "\(mail.date)", "text": mail.text,
                        "file": mail.file,
                    ]
                },
            ]
            return try web.pages.render("dev/mail", values, context)
        }
    }

    /// The peer and, behind a proxy, its client are this machine, and the page was not opened under another host's name:
    /// a site may point its own name at a visitor's machine (DNS rebinding). A proxy that is not
    /// trusted is refused, as its client may be anybody.
    private func admits(_ request: Request, _ context: AppContext) -> Bool {
        guard context.peer.isLoopback, context.visitor.client.isLoopback, let host = request.head.authority else {
            return false
        }
        let isForwarded = request.headers.contains(where: ForwardingNotice.isForwarding)
        guard !isForwarded || finder.isTrusted(context.peer) else { return false }
        let own = ["localhost", "127.0.0.1", "[::1]", publicURL.host]
        return own.contains(Origin.host(ofAuthority: host))
    }
}
