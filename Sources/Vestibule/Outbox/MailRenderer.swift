import Essentials
package import Foundation
package import Mailing
package import Serving

/// Turns mail content into a message, in the language of its reader.
package struct MailRenderer: Sendable {
    let templates: Templates
    let from: MailAddress

    package init(templates: Templates, from: MailAddress) {
        self.templates = templates
        self.from = from
    }

    /// Throws `TemplateFault` when a template is missing.
    package func message(_ content: MailContent, id: String, date: Date) throws -> MailMessage {
        let kind = content.kind.name
        let values = values(content)
        return MailMessage(
            from: from,
            to: content.to,
            subject: templates.sentence("mail.\(kind).subject", values, locale: content.locale),
            text: try templates.render("mail/\(kind).txt", values, locale: content.locale),
            html: try templates.render("mail/\(kind).html", values, locale: content.locale),
            id: id,
            date: date
        )
    }

    private func values(_ content: MailContent) -> Values {
        var values: Values = content.values
        if let signIns = content.signIns {
            values["sign_ins"] = signIns.map { signIn -> Values in
                var row: Values = [
                    "at": templates.dateAndTime(signIn.at, locale: content.locale), "address": signIn.address,
                ]
                row["device"] = signIn.device
                return row
            }
        } else if content.values["at"] != nil {
            // A mail of an older version has them among its values.
            values["sign_ins"] = [content.values]
        }
        return values
    }
}
