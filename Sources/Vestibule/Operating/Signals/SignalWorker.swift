import Foundation
import Logging
import ServiceLifecycle

/// Delivers signals: two at a time to each target, in order for each account, and to one that takes
/// none ever more slowly. Targets do not wait for each other.
struct SignalWorker: Service, CustomStringConvertible {
    let store: any SignalStore & NodeStore
    let targets: [SignalTarget]
    let delivery: SignalDelivery
    let audit: Audit
    /// Between two looks for signals: nothing tells that a transaction has written one.
    var interval: Duration = .seconds(1)
    /// Between two looks whether the start of another node has removed our subscriptions.
    var keptEvery: Duration = .seconds(10)
    /// For the log, which would print every part otherwise.
    var description: String { "SignalWorker" }
    /// As many as threads that call a target.
    private static let atOnce = 2
    /// Longer than a call may take, so that no signal is sent twice while its first try runs.
    private static let lease: TimeInterval = 60
    /// Between two tries of a target that fails, in seconds.
    private static let longestPause: Int64 = 60

    func run() async throws {
        targets.forEach { $0.http.start() }
        await cancelWhenGracefulShutdown {
            await subscribe()
            await withDiscardingTaskGroup { group in
                if !targets.isEmpty { group.addTask { await keepSubscriptions() } }
                for target in targets {
                    for _ in 0..<Self.atOnce { group.addTask { await serve(target) } }
                }
            }
        }
        // The end of a service is the end of the server.
        try? await gracefulShutdown()
        targets.forEach { $0.http.stop() }
    }

    /// Until the store has taken it: signals of what happens before are not written.
    private func subscribe() async {
        while !Task.isCancelled {
            do {
                let others = try await otherNodes()
                return warn(ofRemoved: try await store.setSubscriptions(subscriptions), others)
            } catch {
                audit.log("signal targets cannot be written", error, delivery.logger)
            }
            // A database tells nobody when it is back.
            try? await Task.sleep(for: interval)
        }
    }

    /// Until the server shuts down.
    private func keepSubscriptions() async {
        while true {
            do {
                // A node that starts tells no other one.
                try await Task.sleep(for: keptEvery)
                try await store.keepSubscriptions(subscriptions)
            } catch is CancellationError {
                // Put back now, they would outlive this node.
                return
            } catch {
                audit.log("signal targets cannot be written", error, delivery.logger)
            }
        }
    }

    private var subscriptions: Set<SignalSubscription> {
        Set(targets.flatMap { target in target.events.map { SignalSubscription(event: $0, target: target.name) } })
    }

    /// The names of those that serve.
    private func otherNodes() async throws -> [String] {
        let (now, nodes) = (delivery.now(), try await store.nodes())
        // A server that was killed and has started again may stand there twice.
        let own = nodes.first { $0.node.id == delivery.node }?.node.name
        return nodes.filter { $0.node.name != own && $0.isServing(at: now) }.map(\.node.name)
    }

    /// A node that starts replaces all subscriptions, as targets may have left the settings. Other
    /// nodes put their own back.
    private func warn(ofRemoved removed: Set<SignalSubscription>, _ others: [String]) {
        guard !removed.isEmpty, !others.isEmpty else { return }
        delivery.logger.warning(
            "signal targets were removed while other nodes serve",
            metadata: [
                "event": "signal_targets_removed",
                "targets": "\(removed.map { "\($0.target) \($0.event)" }.sorted().joined(separator: ", "))",
                "others": "\(others.joined(separator: ", "))",
                "hint": "give all nodes the same webhooks and applications, and restart this one",
            ])
    }

    /// Until the server shuts down; ends with the signal it is at.
    private func serve(_ target: SignalTarget) async {
        var failures = 0
        while !Task.isCancelled {
            switch await deliverNext(target) {
            // Another node may write one, and tells nobody.
            case nil: try? await Task.sleep(for: interval)
            case .taken?: failures = 0
            // Not at once: the receiver may refuse them all. This one has its own retry.
            case .refused?:
                failures = 0
                try? await Task.sleep(for: interval)
            case .failed?:
                failures += 1
                // Asked ever more slowly, so that a receiver that fails can recover.
                try? await Task.sleep(for: interval * Int(min(Self.longestPause, 1 << min(failures - 1, 10))))
            }
        }
    }

    /// Returns what has come of the signal that is due; nil if none is.
    private func deliverNext(_ target: SignalTarget) async -> SignalDelivery.Outcome? {
        let start = delivery.now()
        let lease = MailLease(node: delivery.node, until: start.addingTimeInterval(Self.lease))
        do {
            guard let signal = try await store.takeDueSignal(for: target.name, now: start, lease: lease) else {
                return nil
            }
            // A task of its own, which a shutdown does not cancel: that a signal was sent has to be
            // noted.
            return await Task { await delivery.deliver(signal, to: target, leaseEnd: lease.until) }.value
        } catch {
            audit.log("signal queue cannot be read", error, delivery.logger)
            return nil
        }
    }
}
