package import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// `/healthz`: the process answers. `/readyz`: store and mail queue can work. Neither is well once
/// the server was told to stop.
struct HealthRoutes {
    static let paths: Set = ["/healthz", "/readyz"]
    let store: any HealthStore & OutboxStore
    let mailHealth: MailHealth
    let node: Node
    let outage: StoreOutage
    let shutdown: ShutdownNotice
    let now: @Sendable () -> Date
    /// Mails whose first try is late by so much mean that none can be sent. Others may wait longer,
    /// as where one domain answers slowly.
    private static let mailLateAfter: TimeInterval = 15 * 60

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/healthz") { _, _ in
            shutdown.isGiven ? Self.answer(.serviceUnavailable, "stopping") : Self.answer(.ok, "ok")
        }
        routes.get("/readyz") { _, context in
            var answer = await readiness(context)
            if let name = HTTPField.Name("Vestibule-Node") { answer.headers[name] = "\(node.name) \(node.version)" }
            return answer
        }
    }

    private func readiness(_ context: AppContext) async -> Response {
        guard !shutdown.isGiven else { return Self.answer(.serviceUnavailable, "stopping") }
        guard !outage.isDiskFull(at: now()) else { return Self.answer(.serviceUnavailable, "store") }
        do {
            try await store.checkWritable(now: now())
            try await store.checkReadable(now: now())
            let late = [try await store.untriedMailDue(), mailHealth.closedSince(at: now())].compactMap { $0 }
            guard late.allSatisfy({ now().timeIntervalSince($0) < Self.mailLateAfter }) else {
                return Self.answer(.serviceUnavailable, "mail queue")
            }
            guard !mailHealth.isSenderRefused(at: now()) else {
                return Self.answer(.serviceUnavailable, "sender refused")
            }
            return Self.answer(.ok, "ok")
        } catch {
            context.logger.error("not ready", metadata: ["error": "\(error)"])
            return Self.answer(.serviceUnavailable, "store")
        }
    }

    private static func answer(_ status: HTTPResponse.Status, _ word: String) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: word + "\n"))
        )
    }
}

/// The store's part of health.
package protocol HealthStore: Sendable {
    /// Writes something small; throws `StoreUnavailable` when the store cannot work.
    func checkWritable(now: Date) async throws
    /// Reads what login and sign-up read, each time other rows; throws `StoreUnavailable` when some
    /// cannot be read, and from then on once damage was met anywhere.
    func checkReadable(now: Date) async throws
    /// Throws `StoreUnavailable` when a pooler moves connections between sessions, in which
    /// prepared statements would be missing.
    func checkConnections() async throws
    /// By the clock of the database's server; nil without a server.
    func serverTime() async throws -> Date?
}
