import Essentials
package import HTTPTypes
import NIOHTTP1

/// What connections answer before a request reaches the framework, by request target: what is the
/// same for everybody, which are pages and the files under `Public`, and what needs no waiting. The
/// routes would answer the same.
package struct PreparedAnswers: Sendable {
    enum Target {
        case file(CachedResponse)
        /// By its name.
        case page(String)
        case immediate(any ImmediateResponder)
    }

    private var targets: [String: Target]
    private let pages: Pages
    /// Of every answer.
    let headers: HTTPFields
    let languages: Languages
    let hosts: KnownHosts

    /// Pages by path, files and responders by target; `headers` are those of every answer.
    package init(
        pages: Pages, paths: [String: String], files: [String: CachedResponse],
        responders: [String: any ImmediateResponder] = [:], headers: HTTPFields, languages: Languages,
        hosts: KnownHosts
    ) {
        targets = paths.mapValues(Target.page)
        targets.merge(files.mapValues(Target.file)) { page, _ in page }
        targets.merge(responders.mapValues(Target.immediate)) { page, _ in page }
        (self.pages, self.headers, self.languages, self.hosts) = (pages, headers, languages, hosts)
    }

    func target(_ uri: String) -> Target? {
        // Characters: only text beyond ASCII equals other bytes.
        uri.isASCII ? targets[uri] : nil
    }

    /// Nil for a page that is not ready in that language, and for what is made for each request.
    func body(of target: Target, locale: String) -> CachedResponse? {
        switch target {
        case .file(let body): body.adding(headers)
        case .page(let name): pages.ready(name, in: locale)?.adding(headers)
        case .immediate: nil
        }
    }
}

/// The header fields that a prepared answer depends on, read in one pass.
struct PreparedFields {
    private(set) var (hasCookie, hasBody, isForwarded) = (false, false, false)
    private(set) var (host, acceptLanguage, ifNoneMatch): (String?, String?, String?)

    init(_ headers: HTTPHeaders, looksForForwarding: Bool) {
        for (name, value) in headers {
            switch name.utf8.count {
            case 4 where name.isIgnoringCase("host"): host = value
            case 6 where name.isIgnoringCase("cookie"): hasCookie = true
            case 13 where name.isIgnoringCase("if-none-match"): ifNoneMatch = Self.joined(ifNoneMatch, value)
            case 14 where name.isIgnoringCase("content-length"): hasBody = true
            case 15 where name.isIgnoringCase("accept-language"): acceptLanguage = Self.joined(acceptLanguage, value)
            case 17 where name.isIgnoringCase("transfer-encoding"): hasBody = true
            default: break
            }
            if looksForForwarding, ForwardingNotice.isForwarding(name: name) { isForwarded = true }
        }
    }

    /// Fields of one name are one list (RFC 9110 section 5.3).
    private static func joined(_ list: String?, _ value: String) -> String {
        list.map { "\($0), \(value)" } ?? value
    }
}
