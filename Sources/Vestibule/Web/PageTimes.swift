import Foundation
import Serving

extension Pages {
    /// For `partials/time`: for programs in ISO 8601, for people in UTC.
    func time(_ date: Date, _ context: some PageContext) -> Values {
        ["iso": date.formatted(.iso8601), "words": templates.dateAndTime(date, locale: context.locale)]
    }
}
