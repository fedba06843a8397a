import Essentials
import Foundation
import Mailing
import Serving

/// Turns mail content into a message, in the language of its reader.
struct MailRenderer: Sendable {
    let templates: Templates
    let from: MailAddress

    /// Throws `TemplateFault` when a template is missing. A link that no longer works at `now` is
    /// left out.
    func message(_ content: MailContent, id: String, date: Date, now: Date) throws -> MailMessage {
        let kind = content.kind.name
        let values = values(content, now)
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

    private func values(_ content: MailContent, _ now: Date) -> Values {
        var values: Values = content.values
        if let end = content.values[MailContent.tokenEnd].flatMap({ Int64($0) }), end <= now.ms {
            values[MailContent.token] = nil
        }
        if let proofs = content.values[MailContent.proofs] {
            let first = proofs.parts(by: "_").first ?? ""
            values["by_\(first)"] = true
            values["took_second_step"] = proofs.holds("_")
            values[MailContent.proofs] = templates.sentence("mail.proofs.\(proofs)", locale: content.locale)
        }
        if let date = content.values[MailContent.date].flatMap({ Int64($0) }) {
            values[MailContent.date] = templates.dateAndTime(Date(ms: date), locale: content.locale)
        }
        if let signIns = content.signIns {
            values["sign_ins"] = signIns.map { signIn -> Values in
                var row: Values = [
                    "at": templates.dateAndTime(signIn.at, locale: content.locale),
                    "address": signIn.address.isEmpty
                        ? templates.sentence("account.unknown_address", locale: content.locale) : signIn.address,
                ]
                row["device"] = signIn.device.map { device($0, locale: content.locale) }
                return row
            }
        }
        return values
    }

    /// "Firefox on Linux", out of `Device.name`; names of apps have no en dash.
    private func device(_ name: String, locale: String) -> String {
        let parts = name.unicodeScalars.split(separator: "–").map { String($0).trimmingSpaces }
        guard parts.count == 2 else { return name }
        let words = ["browser": parts[0], "system": parts[1]]
        return templates.sentence("account.device", words, locale: locale)
    }
}
