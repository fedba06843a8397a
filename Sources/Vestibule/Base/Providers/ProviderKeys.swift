import Essentials
import Foundation
import JWTKit

/// A provider's public keys by their id, fetched once and again when a token names an unknown one:
/// once a minute at most.
actor ProviderKeys {
    private let http: OutboundHTTP
    private var keys: [String: JWK] = [:]
    private var fetchedAt: Date?
    private var triedAt: Date?
    private var failed: (error: any Error, at: Date)?
    private var fetch: Task<[String: JWK], any Error>?
    private static let refreshInterval: TimeInterval = 60
    private static let keptFor: TimeInterval = 3600
    /// So long nobody waits again for keys that cannot be had.
    private static let failureKeptFor: TimeInterval = 5

    init(http: OutboundHTTP) {
        self.http = http
    }

    /// The key of that id, or the only one there is for a token that names none. Throws
    /// `ProviderFault`.
    func key(_ id: String?, at url: String, now: Date) async throws -> JWK {
        let age = fetchedAt.map { now.timeIntervalSince($0) } ?? .infinity
        let sinceTry = triedAt.map { abs(now.timeIntervalSince($0)) } ?? .infinity
        let mayRefresh = keys.isEmpty || sinceTry >= Self.refreshInterval
        let isKnown = id.map { keys[$0] != nil } ?? false
        if mayRefresh, !isKnown || age >= Self.keptFor {
            do {
                try await refresh(url, now: now)
            } catch {
                // A key that was good an hour ago is better than nobody signing in.
                guard isKnown else { throw error }
            }
        }
        let only = keys.count == 1 ? keys.values.first : nil
        guard let key = id.map({ keys[$0] }) ?? only else { throw ProviderFault.rejected("unknown key") }
        return key
    }

    /// Many may wait for one fetch.
    private func refresh(_ url: String, now: Date) async throws {
        if let failed, abs(now.timeIntervalSince(failed.at)) < Self.failureKeptFor { throw failed.error }
        let running = fetch ?? Task { [http] in try Self.read(await http.send(OutboundRequest(url: url))) }
        fetch = running
        triedAt = now
        defer { fetch = nil }
        let start = ContinuousClock.now
        do {
            keys = try await running.value
            (fetchedAt, failed) = (now, nil)
        } catch {
            failed = (error, now.addingTimeInterval(start.duration(to: .now) / .seconds(1)))
            throw error
        }
    }

    /// Keys we cannot use are left out rather than spoiling the others.
    private static func read(_ answer: OutboundAnswer) throws -> [String: JWK] {
        let json = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        guard answer.status == 200, let all = json?["keys"] as? [[String: Any]] else {
            throw ProviderFault.unreachable("the keys answered \(answer.status)")
        }
        let keys = all.compactMap { key -> JWK? in
            let key = key.merging(["kid": ""]) { named, _ in named }
            guard key["use"] as? String ?? "sig" == "sig", let data = try? JSONSerialization.data(withJSONObject: key)
            else { return nil }
            return try? JSONDecoder().decode(JWK.self, from: data)
        }
        return Dictionary(keys.compactMap { key in key.keyIdentifier.map { ($0.string, key) } }) { first, _ in first }
    }
}
