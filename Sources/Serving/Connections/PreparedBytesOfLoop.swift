import Essentials
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The answers that connections of one event loop send by themselves. What is the same for
/// everybody is made when it is asked for first.
final class PreparedBytesOfLoop {
    private let answers: PreparedAnswers
    private var plain: PlainAnswerBytes
    /// By language, which is empty for files, and target.
    private var kept: [String: [String: PreparedBytes]] = [:]
    private var (second, date) = (0, "")
    /// The `Host` of the last request that named a known one: the next is like it.
    private var knownHost: String?

    init(_ answers: PreparedAnswers) {
        self.answers = answers
        plain = PlainAnswerBytes(headers: answers.headers.onOtherHosts)
    }

    /// Nil for what the routes have to answer. Forwarding headers of a peer that is not trusted are
    /// among that: the routes report them.
    func answer(
        to head: HTTPRequestHead, _ fields: HeadFields, from peer: ClientAddress, trustsForwarding: Bool
    ) -> ByteBuffer? {
        guard head.method == .GET || head.method == .HEAD, !fields.hasBody, let target = answers.target(head.uri),
            trustsForwarding || !head.headers.contains(where: { ForwardingNotice.isForwarding(name: $0.name) })
        else { return nil }
        switch target {
        case .immediate(let responder):
            guard head.method == .GET else { return nil }
            return responder.answer(to: ImmediateRequest(head.headers), from: peer)
                .map { plain.bytes(of: $0, at: today) }
        case .page:
            guard !fields.hasCookie else { return nil }
            let locale = answers.languages.preferred(acceptLanguage: fields.acceptLanguage)
            return answer(to: head, target, locale, fields)
        case .file: return answer(to: head, target, "", fields)
        }
    }

    private func isKnown(_ host: String?) -> Bool {
        guard let host else { return false }
        if let knownHost, host.isExactly(knownHost) { return true }
        guard answers.hosts.contains(authority: host) else { return false }
        knownHost = host
        return true
    }

    private func answer(
        to head: HTTPRequestHead, _ target: PreparedAnswers.Target, _ locale: String, _ fields: HeadFields
    ) -> ByteBuffer? {
        guard isKnown(fields.host) else { return nil }
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
