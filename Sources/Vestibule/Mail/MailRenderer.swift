package import Foundation

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
        let kind = content.kind.rawValue
        return MailMessage(
            from: from,
            to: content.to,
            subject: templates.sentence("mail.\(kind).subject", content.values, locale: content.locale),
            text: try templates.render("mail/\(kind).txt", content.values, locale: content.locale),
            html: try templates.render("mail/\(kind).html", content.values, locale: content.locale),
            id: id,
            date: date
        )
    }
}
