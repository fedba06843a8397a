import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// `/healthz`: the process answers. `/readyz`: store and mail queue can work.
struct HealthRoutes {
    static let paths: Set = ["/healthz", "/readyz"]
    let needs: Needs
    /// Mails late by so much mean that none can be sent.
    private static let mailLateAfter: TimeInterval = 15 * 60

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/healthz") { _, _ in Self.answer(.ok, "ok") }
        routes.get("/readyz") { _, context in
            do {
                try await needs.store.checkWritable(now: needs.now())
                try await needs.store.checkReadable(now: needs.now())
                let late = [try await needs.store.nextMailDue(), needs.mailHealth.isClosedSince].compactMap { $0 }
                guard late.allSatisfy({ needs.now().timeIntervalSince($0) < Self.mailLateAfter }) else {
                    return Self.answer(.serviceUnavailable, "mail queue")
                }
                guard !needs.mailHealth.isSenderRefused else {
                    return Self.answer(.serviceUnavailable, "sender refused")
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
