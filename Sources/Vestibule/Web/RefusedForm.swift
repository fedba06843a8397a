import Foundation
import HTTPTypes

/// What a refused form shows: the summary on top and the sentence at each field.
struct RefusedForm {
    let problems: [Values]
    let sentences: [String: String]

    /// `ids` are the inputs' ids by field; a refusal without a field points to `otherwise`.
    init(_ refusals: [Refusal], ids: [String: String], otherwise: String, _ pages: Pages, _ context: AppContext) {
        var problems: [Values] = []
        var sentences: [String: String] = [:]
        for refusal in refusals {
            let sentence = pages.refusal(refusal, context)
            let id = refusal.field.flatMap { ids[$0] } ?? otherwise
            problems.append(["id": id, "sentence": sentence])
            if let field = refusal.field { sentences[field] = sentence }
        }
        self.problems = problems
        self.sentences = sentences
    }

    /// A field as templates know it.
    func field(_ name: String, value: String? = nil) -> Values {
        var field: Values = [:]
        if let value { field["value"] = value }
        if let sentence = sentences[name] { field["error"] = sentence }
        return field
    }
}

extension Pages {
    /// The sentence of a refusal, in the visitor's language.
    func refusal(_ refusal: Refusal, _ context: AppContext) -> String {
        switch refusal {
        case .password(.tooShort(let minimum)):
            sentence(refusal.sentenceKey, context, ["minimum": "\(minimum)"])
        case .limited(let until):
            sentence(refusal.sentenceKey, context, ["time": waiting(until: until, context)])
        default:
            sentence(refusal.sentenceKey, context)
        }
    }

    /// How long until then, in words, rounded up: "2 minutes".
    func waiting(until: Date, now: Date = Date(), _ context: AppContext) -> String {
        let seconds = max(1, Int(until.timeIntervalSince(now).rounded(.up)))
        let (unit, length) =
            switch seconds {
            case ..<60: ("second", 1)
            case ..<3600: ("minute", 60)
            case ..<86_400: ("hour", 3600)
            default: ("day", 86_400)
            }
        let count = (seconds + length - 1) / length
        return sentence("time.\(unit).\(count == 1 ? "one" : "other")", context, ["count": "\(count)"])
    }
}
