import Essentials
import Foundation
import NIOCore
import NIOHTTP1

/// The prepared answers that connections of one event loop send, made when they are asked for
/// first.
package final class PreparedBytesOfLoop {
    private let answers: PreparedAnswers
    /// By language, which is empty for files, and target.
    private var kept: [String: [String: PreparedBytes]] = [:]
    private var (second, date) = (0, "")

    package init(_ answers: PreparedAnswers) {
        self.answers = answers
    }

    /// Nil for what the routes have to answer. Forwarding headers of a peer that is not trusted are
    /// among that: the routes report them.
    func answer(to head: HTTPRequestHead, trustsForwarding: Bool) -> ByteBuffer? {
        guard head.method == .GET || head.method == .HEAD, let target = answers.target(head.uri) else { return nil }
        let fields = PreparedFields(head.headers, looksForForwarding: !trustsForwarding)
        guard !fields.hasBody, !fields.isForwarded else { return nil }
        var locale = ""
        if case .page = target {
            guard !fields.hasCookie else { return nil }
            locale = answers.languages.preferred(acceptLanguage: fields.acceptLanguage)
        }
        return bytes(head.uri, of: target, locale)?.answer(
            at: today, headOnly: head.method == .HEAD, ifNoneMatch: fields.ifNoneMatch)
    }

    private func bytes(_ uri: String, of target: PreparedAnswers.Target, _ locale: String) -> PreparedBytes? {
        if let bytes = kept[locale]?[uri] { return bytes }
        guard let body = answers.body(of: target, locale: locale) else { return nil }
        let bytes = PreparedBytes(body)
        kept[locale, default: [:]][uri] = bytes
        return bytes
    }

    /// `Date` of answers that are sent now.
    private var today: String {
        let now = time(nil)
        if second != now {
            second = now
            date = "\(MessageDate.dayAndTime(Date(timeIntervalSince1970: TimeInterval(now)))) GMT"
        }
        return date
    }
}
