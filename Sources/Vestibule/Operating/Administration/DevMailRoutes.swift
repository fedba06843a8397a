import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Mailing
import Serving

/// `/dev/mail`, in development only and for this machine only: the mails in the outbox folder,
/// newest first, as a mailbox shows them.
struct DevMailRoutes {
    let folder: FileTransport
    let publicURL: PublicURL
    let finder: ClientAddressFinder
    let web: Web
    /// The content security policy of every page.
    let policy: String

    private static let shown = 50
    /// The mail brings its styles along and loads nothing; its links open beside the frame.
    private static let mailPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; "
        + "sandbox allow-popups allow-popups-to-escape-sandbox"

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/dev/mail") { request, context in
            try check(request, context)
            let values = Self.values(try await folder.recent(limit: Self.shown))
            var page = try web.pages.render("dev/mail", values, context)
            page.headers[.contentSecurityPolicy] = policy + "; frame-src 'self'"
            return page
        }
        routes.get("/dev/mail/{file}") { request, context in
            try check(request, context)
            let file = context.parameters.get("file") ?? ""
            guard let mail = try await folder.mail(file: file) else { throw HTTPError(.notFound) }
            return Self.document(mail)
        }
    }

    /// Throws `Refusal.mailsElsewhere`, and says so in the log.
    private func check(_ request: Request, _ context: AppContext) throws {
        guard !admits(request, context) else { return }
        context.logger.warning(
            "development mails are shown on this machine only",
            metadata: [
                "event": "authz_fail", "source_ip": "\(context.visitor.client)",
                "hint": "a proxy in between is one of VESTIBULE_TRUSTED_PROXIES",
            ])
        throw Refusal.mailsElsewhere
    }

    /// The peer and, behind a proxy, its client are this machine, and the page was not opened under
    /// another host's name: a site may point its own name at a visitor's machine (DNS rebinding). A
    /// proxy that is not trusted is refused, as its client may be anybody.
    private func admits(_ request: Request, _ context: AppContext) -> Bool {
        guard context.peer.isThisMachine, context.visitor.client.isThisMachine, let host = request.head.authority else {
            return false
        }
        let isForwarded = request.headers.contains(where: ForwardingNotice.isForwarding)
        guard !isForwarded || finder.isTrusted(context.peer) else { return false }
        let own = ["localhost", "127.0.0.1", "[::1]", publicURL.origin.host]
        return own.contains(Origin.host(ofAuthority: host))
    }

    private static func values(_ mails: [StoredMail]) -> Values {
        [
            "empty": mails.isEmpty,
            "messages": mails.map { mail -> Values in
                [
                    "subject": mail.subject, "to": mail.to, "date": "\(mail.date)", "text": mail.text,
                    "file": mail.file,
                ]
            },
        ]
    }

    /// The HTML of a mail for the frame that shows it.
    private static func document(_ mail: StoredMail) -> Response {
        // Characters: the tag stands in our own template, before anything else.
        let html = mail.html.replacing("<head>", with: "<head><base target=\"_blank\">", maxReplacements: 1)
        return Response(
            status: .ok,
            headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: mailPolicy],
            body: .init(byteBuffer: ByteBuffer(string: html)))
    }
}
