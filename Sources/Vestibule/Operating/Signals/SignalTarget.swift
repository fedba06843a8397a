import Essentials
import Foundation

/// A program that signals go to, by the settings alone.
struct SignalTarget: Sendable {
    /// As rows name it: `webhook:portal`, `app:notes`.
    let name: String
    let events: [String]
    /// Makes what is sent of a signal.
    let request: @Sendable (Signal, Date) async throws -> OutboundRequest
    let http: OutboundHTTP
    /// What it answers to what it does not take, or has taken before.
    private let refusal: Int?
    /// Tries before a refusal is believed, over more than a minute: an application that cannot
    /// fetch our keys just then may answer the same. The account's others behind it wait as long.
    private static let triesBeforeRefusal = 4
    private static let answerBytesAtMost = 1024
    fileprivate static let logout = "logout"

    private init(
        name: String, url: String, events: [String], refusal: Int? = nil,
        request: @escaping @Sendable (Signal, Date, inout OutboundRequest) async throws -> Void
    ) {
        (self.name, self.events, self.refusal) = (name, events, refusal)
        let origin = Origin(ofURL: url)
        http = OutboundHTTP(plainOrigins: Set([origin].compactMap { $0 }.filter { !$0.isSecure }))
        self.request = { signal, now in
            var made = OutboundRequest(url: url, readsAtMost: Self.answerBytesAtMost)
            if let origin { made.addresses = .publicOr(origin) }
            try await request(signal, now, &made)
            return made
        }
    }

    init(_ webhook: Webhook, key: SecretKey) {
        let signer = WebhookSigner(webhook, key: key)
        self.init(name: Self.name(of: webhook), url: webhook.url, events: webhook.events) { signal, now, request in
            let body = try signal.webhookBody()
            request.json = body
            request.headers = ["Content-Type: application/json"]
            request.headers += try signer.headers(id: signal.id, body: body, at: now)
        }
    }

    /// An application that is told of logouts (OpenID Connect Back-Channel Logout 1.0); nil for
    /// another one.
    init?(_ application: ProtectedApplication, keys: [SigningAlgorithm: SigningKeys], issuer: String) {
        guard let client = application.client, let url = client.logoutURL, let keys = keys[client.algorithm] else {
            return nil
        }
        let token = LogoutToken(keys: keys, issuer: issuer)
        let name = Self.name(of: application)
        self.init(name: name, url: url, events: [Self.logout], refusal: 400) { signal, now, request in
            request.form = ["logout_token": try await token.text(of: signal, for: application.name, at: now)]
        }
    }

    fileprivate static func name(of webhook: Webhook) -> String { "webhook:\(webhook.name)" }

    fileprivate static func name(of application: ProtectedApplication) -> String { "app:\(application.name)" }

    /// Sends it once. Returns why it is not delivered; nil once it is.
    func deliver(_ signal: Signal, at now: Date) async -> SignalFailure? {
        do {
            let status = try await http.send(try await request(signal, now)).status
            let isRefused = status == refusal && signal.attempts >= Self.triesBeforeRefusal
            guard !(200..<300).contains(status) else { return nil }
            return SignalFailure(
                reason: "answered \(status)",
                // 410: the receiver wants none of these any more.
                mayRetry: status != 410 && !isRefused, isOfTarget: Self.overloaded.contains(status))
        } catch {
            let reason = (error as? ProviderFault)?.reason ?? "\(error)"
            return SignalFailure(reason: reason, mayRetry: true, isOfTarget: true)
        }
    }

    /// What a receiver with too much to do answers, or its proxy while the receiver is away.
    private static let overloaded: Set = [429, 502, 503, 504]
}

/// Why a signal was not delivered.
struct SignalFailure: Sendable {
    let reason: String
    /// There is a point in trying again.
    let mayRetry: Bool
    /// The target takes no other signal now, either.
    let isOfTarget: Bool
}

extension Signal {
    /// The body of a webhook: thin, so that it says nothing to others than ids and a time.
    fileprivate func webhookBody() throws -> String {
        let body: JSONObject = [
            "type": event, "timestamp": createdAt.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            "data": ["account": accountID, "session": sessionID] as JSONObject,
        ]
        return String(decoding: try CompactJSON.encode(body, isSorted: true), as: UTF8.self)
    }
}

extension Settings {
    /// Who is to be told of what.
    package var signalSubscriptions: Set<SignalSubscription> {
        let hooks = webhooks.flatMap { hook in
            hook.events.map { SignalSubscription(event: $0, target: SignalTarget.name(of: hook)) }
        }
        let logouts = applications.filter { $0.client?.logoutURL != nil }.map {
            SignalSubscription(event: SignalTarget.logout, target: SignalTarget.name(of: $0))
        }
        return Set(hooks + logouts)
    }

    func signalTargets(key: SecretKey, keys: [SigningAlgorithm: SigningKeys]) -> [SignalTarget] {
        webhooks.map { SignalTarget($0, key: key) }
            + applications.compactMap { SignalTarget($0, keys: keys, issuer: publicURL.text) }
    }
}
