import Essentials
import HTTPTypes
import Serving

/// Answers to proxies, by outcome. None sets a cookie.
extension VerdictQuestion {
    /// Nil for a page, and for what the operator is told of. Few outcomes look at the headers of
    /// the question.
    func answer(_ outcome: Verdicts.Outcome, to headers: @autoclosure () -> HTTPFields) -> PlainAnswer? {
        switch outcome {
        case .passes(let identity): pass(identity)
        case .nobody: signIn(headers())
        case .notAdmitted, .tokenRefused: nil
        }
    }

    /// 200, with every header that the application may read: one that was left out would let the
    /// client's own through. So are the cookies, without ours; proxies drop those of a client where
    /// the answer has none.
    private func pass(_ identity: ApplicationIdentity) -> PlainAnswer {
        var answer = PlainAnswer(.ok, [.uncached])
        if let field = Self.assertion { answer.fields.append(HTTPField(name: field, value: identity.assertion)) }
        if !otherCookies.isEmpty { answer.fields.append(HTTPField(name: .cookie, value: otherCookies)) }
        if application.wantsPlainHeaders {
            let values = [
                identity.subject, identity.email, identity.name, identity.groups.joined(separator: ","),
            ]
            for (field, value) in zip(Self.plainFields, values) {
                answer.fields.append(HTTPField(name: field, value: Self.headerValue(value)))
            }
        }
        return answer
    }

    /// Printable ASCII; all else is percent-encoded, and so is the percent sign.
    private static func headerValue(_ text: String) -> String {
        text.percentEncoded { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "%") }
    }

    /// Leads a page visit to the sign-in; everything else, such as a script's request, gets 401, a
    /// form with a page.
    private func signIn(_ headers: HTTPFields) -> PlainAnswer? {
        let isSafe = asked.method == "GET" || asked.method == "HEAD"
        // nginx answers 401 whatever is said here, and its configuration decides what follows.
        let namesHTML = headers.acceptsHTML || family == .original && headers[.accept] == nil
        let refused = PlainAnswer.verdict(.unauthorized, "sign in first")
        guard namesHTML, headers.isPageVisit else { return refused }
        // A form of another site comes without the cookie, also of somebody who is signed in.
        guard isSafe else { return family == .original || headers.isCrossSite ? refused : nil }
        var answer = family == .original ? refused : PlainAnswer(.seeOther, [.uncached])
        let start = "\(asked.origin.text)\(ApplicationHostRoutes.prefix)/start?to="
        answer.fields.append(HTTPField(name: .location, value: start + asked.target.text.queryEncoded))
        return answer
    }

    private static let assertion = HTTPField.Name("Vestibule-Assertion")
    /// In the order of `pass`.
    private static let plainFields = ["Remote-User", "Remote-Email", "Remote-Name", "Remote-Groups"].compactMap {
        HTTPField.Name($0)
    }
}

extension PlainAnswer {
    /// One sentence, for the proxy's operator.
    static func verdict(_ status: HTTPResponse.Status, _ text: String) -> PlainAnswer {
        PlainAnswer(
            status, [.uncached, HTTPField(name: .contentType, value: "text/plain; charset=utf-8")], text: text + "\n")
    }
}

extension HTTPField {
    fileprivate static let uncached = HTTPField(name: .cacheControl, value: "no-store")
}
