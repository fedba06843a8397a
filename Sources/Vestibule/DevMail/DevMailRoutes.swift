import Foundation
import Hummingbird

/// `/dev/mail`, in development only: the mails in the outbox folder, newest first.
struct DevMailRoutes {
    let folder: OutboxFolder
    let web: Web

    func add(to routes: Routes) {
        routes.get("/dev/mail") { _, context in
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
}
