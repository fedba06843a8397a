import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// `/healthz`: the process answers. `/readyz`: store and mail queue can work.
struct HealthRoutes {
    let needs: Needs
    /// A mail that has waited this long means that none can be sent.
    private static let mailLateAfter: TimeInterval = 15 * 60

    func add(to routes: Routes) {
        routes.get("/healthz") { _, _ in Self.answer(.ok, "ok") }
        routes.get("/readyz") { _, context in
            do {
                try await needs.store.checkWritable(now: needs.now())
                if let oldest = try await needs.store.oldestWaitingMail(),
                    needs.now().timeIntervalSince(oldest) > Self.mailLateAfter
                {
                    return Self.answer(.serviceUnavailable, "mail queue")
                }
                return Self.answer(.ok, "ok")
            } catch {
                context.logger.error("not ready", metadata: ["error": "\(error)"])
                return Self.answer(.serviceUnavailable, "store")
            }
        }
    }

    private static func answer(_ status: HTTPResponse.Status, _ word: String) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: word + "\n"))
        )
    }
}
