package import Essentials
package import HTTPTypes
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Answers requests for one target on the event loop, before they reach the framework; the routes
/// would answer the same.
package protocol ImmediateResponder: Sendable {
    /// The answer to a GET without a body. Nil for what the routes have to answer, such as what
    /// takes the store or a line in the log. Must not wait.
    func answer(to request: ImmediateRequest, from peer: ClientAddress) -> PlainAnswer?
}

/// The head of a request that is answered at once.
package struct ImmediateRequest {
    private let lines: HTTPHeaders

    init(_ lines: HTTPHeaders) {
        self.lines = lines
    }

    /// As the routes get them; made anew.
    package var headers: HTTPFields { HTTPFields(lines, splitCookie: false) }

    package var question: QuestionFields { QuestionFields(lines) }
}
