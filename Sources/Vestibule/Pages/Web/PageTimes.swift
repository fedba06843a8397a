import Foundation
import Serving

extension Pages {
    /// For `partials/time`: for programs in ISO 8601, for people in UTC.
    func time(_ date: Date, _ context: some PageContext) -> Values {
        ["iso": date.formatted(.iso8601), "words": templates.dateAndTime(date, locale: context.locale)]
    }

    /// For `partials/way-times`: when a way into the account was added and last used, as far as it
    /// is known.
    func wayTimes(added: Date?, used: Date?, _ context: some PageContext) -> Values {
        // Without a value, the one of what is around it would be shown.
        var values: Values = ["added": false, "used": false]
        if let added { values["added"] = time(added, context) }
        if let used { values["used"] = time(used, context) }
        return values
    }

    /// For a sentence of a page that says `{{date}}`.
    func dated(_ date: Date, _ context: some PageContext) -> Values {
        var values = time(date, context)
        values["date"] = templates.part(.date, locale: context.locale)
        return values
    }
}
