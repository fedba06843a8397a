import Essentials
import Foundation
import JWTKit

extension ProviderDocument<[String: JWK]> {
    private static var refreshInterval: TimeInterval { 60 }
    private static var keptFor: TimeInterval { 3600 }

    /// The key of that id, or the only one there is for a token that names none. They are fetched
    /// once and, once a minute at most, again when a token names an unknown one.
    func key(_ id: String?, at url: String, now: Date) async throws(ProviderFault) -> JWK {
        let age = latest.map { now.timeIntervalSince($0.at) } ?? .infinity
        let sinceTry = triedAt.map { abs(now.timeIntervalSince($0)) } ?? .infinity
        var keys = latest?.content ?? [:]
        let mayRefresh = keys.isEmpty || sinceTry >= Self.refreshInterval
        let isKnown = id.map { keys[$0] != nil } ?? false
        if mayRefresh, !isKnown || age >= Self.keptFor {
            do throws(ProviderFault) {
                keys = try await fetch(url, now: now)
            } catch {
                // A key that was good an hour ago is better than nobody signing in.
                guard isKnown else { throw error }
            }
        }
        let only = keys.count == 1 ? keys.values.first : nil
        guard let key = id.map({ keys[$0] }) ?? only else { throw .rejected("unknown key") }
        return key
    }
}

/// A provider's public keys by their id.
enum ProviderKeys {
    /// Keys we cannot use are left out rather than spoiling the others.
    static func read(_ answer: OutboundAnswer) throws(ProviderFault) -> [String: JWK] {
        let json = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        guard answer.status == 200, let all = json?["keys"] as? [[String: Any]] else {
            throw .unreachable("the keys answered \(answer.status)")
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
