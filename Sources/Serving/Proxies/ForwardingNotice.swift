package import Essentials
package import HTTPTypes
package import Logging
import Synchronization

/// Says once that a peer which is no trusted proxy sends forwarding headers: a proxy that was not
/// named in the settings looks like one client to every limit.
package final class ForwardingNotice: Sendable {
    private let wasSaid = Atomic(false)

    package init() {}

    package func look(at headers: HTTPFields, from peer: ClientAddress, isTrusted: Bool, _ logger: Logger) {
        guard !isTrusted, !wasSaid.load(ordering: .relaxed), headers.contains(where: Self.isForwarding),
            !wasSaid.exchange(true, ordering: .relaxed)
        else { return }
        logger.warning(
            "forwarding headers of a peer that is no trusted proxy are not believed",
            metadata: [
                "event": "proxy_untrusted", "source_ip": "\(peer)",
                "hint": "if it is your proxy, name it in VESTIBULE_TRUSTED_PROXIES",
            ])
    }

    /// Whether only proxies send it.
    package static func isForwarding(_ field: HTTPField) -> Bool {
        isForwarding(name: field.name.canonicalName)
    }

    /// The same, of a name in any case.
    static func isForwarding(name: String) -> Bool {
        Substring(name.utf8.prefix(prefix.utf8.count)).isIgnoringCase(prefix)
            || names.contains(where: name.isIgnoringCase)
    }

    private static let prefix = "x-forwarded-"
    private static let names = ["forwarded", "via", "x-real-ip", "true-client-ip", "cf-connecting-ip"]
}
