import Essentials
import NIOHTTP1

/// What the check and prepared answers need of the header fields, read in one pass: every request
/// pays for it.
struct HeadFields {
    private(set) var (hasCookie, hasBody) = (false, false)
    private(set) var (host, acceptLanguage, ifNoneMatch): (String?, String?, String?)
    private var hasTwoHosts = false
    private var connection: Set<String> = []
    private var codings: [String] = []
    private var expects100 = false
    private var isTooLong = false
    private(set) var isStreamSafe = true

    init(_ headers: HTTPHeaders) {
        for (name, value) in headers {
            // Any host of the domain can set a cookie, which must lock nobody out. Ours are
            // checked when they are read (`SiteCookies`); others are ignored.
            let isCookie = name.utf8.count == 6 && name.isIgnoringCase("cookie")
            hasCookie = hasCookie || isCookie
            isStreamSafe = isStreamSafe && (isCookie || value.isStreamSafe)
            switch name.utf8.count {
            case 4 where name.isIgnoringCase("host"):
                hasTwoHosts = host != nil
                host = value
            case 6: if name.isIgnoringCase("expect"), value.isIgnoringCase("100-continue") { expects100 = true }
            case 10: if name.isIgnoringCase("connection") { connection.formUnion(Self.words(value)) }
            case 13 where name.isIgnoringCase("if-none-match"): ifNoneMatch = Self.joined(ifNoneMatch, value)
            case 14 where name.isIgnoringCase("content-length"):
                hasBody = true
                isTooLong = (Int(value) ?? .max) > Form.bodyLimit
            case 15 where name.isIgnoringCase("accept-language"): acceptLanguage = Self.joined(acceptLanguage, value)
            case 17 where name.isIgnoringCase("transfer-encoding"):
                hasBody = true
                codings.append(value.asciiLowercased)
            default: break
            }
        }
    }

    /// Fields of one name are one list (RFC 9110 section 5.3).
    private static func joined(_ list: String?, _ value: String) -> String {
        list.map { "\($0), \(value)" } ?? value
    }

    func areClear(in head: HTTPRequestHead) -> Bool {
        let isOld = head.version == .http1_0
        guard !hasTwoHosts, host != nil || isOld, codings.isEmpty || !isOld && codings == ["chunked"],
            Authority.isValid(target: head.uri, of: head.method.rawValue)
        else { return false }
        guard let host else { return true }
        // Empty only where the target has no authority either (RFC 9112 section 3.2).
        return host.isEmpty ? head.uri.utf8.first == UInt8(ascii: "/") || head.uri == "*" : Authority.isValid(host.utf8)
    }

    /// Whether the connection ends with the answer.
    func closes(_ head: HTTPRequestHead) -> Bool {
        let version = head.version
        // NIO parses nothing after CONNECT or a requested upgrade; neither is supported here.
        guard head.method != .CONNECT else { return true }
        guard !connection.isEmpty else { return version == .http1_0 }
        let last: Set = ["close", "upgrade"]
        // Characters: a set of words.
        return !connection.isDisjoint(with: last) || version == .http1_0 && !connection.contains("keep-alive")
    }

    /// What `Connection` says in the answer; nil where nothing needs to be said.
    func ending(_ head: HTTPRequestHead) -> String? {
        closes(head) ? "close" : head.version == .http1_0 ? "keep-alive" : nil
    }

    /// The words of a list, in lower case; read as bytes, so that nothing hides a comma.
    private static func words(_ value: String) -> [String] {
        value.parts(by: ",").map(\.trimmingSpaces.asciiLowercased).filter { !$0.isEmpty }
    }

    /// Whether the client sends its body only when told to; not one that will be refused as too
    /// large.
    var waits: Bool { expects100 && !isTooLong }
}
