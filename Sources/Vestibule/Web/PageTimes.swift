import Foundation
import Serving

extension Pages {
    /// For `partials/time`: for programs in ISO 8601, for people in UTC.
    func time(_ date: Date, _ context: some PageContext) -> Values {
        ["iso": date.formatted(.iso8601), "words": templates.dateAndTime(date, locale: context.locale)]
    }

    /// For a sentence of a page that says `{{date}}`.
    func dated(_ date: Date, _ context: some PageContext) -> Values {
        var values = time(date, context)
        values["date"] = templates.part("partials/date", locale: context.locale)
        return values
    }
}
