import Hummingbird
import Mailing
import ServiceLifecycle
import Serving

/// What operators and their tools ask.
func addOperating(_ site: SiteServices, to router: Router<AppContext>) {
    let shared = site.shared
    HealthRoutes(
        store: shared.store, mailHealth: shared.mailHealth, node: shared.node, outage: shared.audit.outage,
        shutdown: shared.shutdown, now: shared.now
    ).add(to: router)
    guard shared.settings.mode == .development, let folder = shared.mailTransport as? FileTransport else { return }
    DevMailRoutes(
        folder: folder, publicURL: shared.settings.publicURL, finder: site.proxies, web: site.web,
        policy: site.securityHeaders.policy
    ).add(to: router)
}

/// What runs beside requests.
func backgroundServices(
    _ site: SiteServices, _ keys: [SigningAlgorithm: SigningKeys]
) -> [any Service] {
    let shared = site.shared
    let housekeeping = Housekeeping(
        store: shared.store, newSignIns: shared.newSignIns,
        factorRemoval: FactorRemoval(store: shared.store, mailer: shared.mailer, author: shared.author),
        factorSealing: FactorSealing(store: shared.store, key: shared.secretKey),
        keyRotation: KeyRotation(store: shared.store, secretKey: shared.secretKey, author: shared.author),
        activityLifetime: shared.settings.activityLifetime, now: shared.now)
    return [
        mailWorker(
            shared, MailRenderer(templates: site.content.pages.templates, from: shared.settings.mailFrom)),
        signalWorker(shared, keys),
        PagePreparation(pages: site.content.pages, logger: shared.logger),
        ThreadService(
            hasher: shared.hasher, kernels: shared.kernels, providers: shared.providers, logger: shared.logger),
        HousekeepingService(housekeeping: housekeeping, logger: shared.logger),
        LogSummaries(audit: shared.audit),
        NodePresence(
            store: shared.store, node: shared.node, logger: shared.logger, audit: shared.audit, now: shared.now),
    ]
}

private func mailWorker(_ shared: SharedServices, _ renderer: MailRenderer) -> MailWorker {
    let transport = WatchedTransport(
        transport: shared.mailTransport, health: shared.mailHealth, logger: shared.logger, now: shared.now)
    let delivery = MailDelivery(
        store: shared.store, renderer: renderer, transport: transport, key: shared.secretKey, logger: shared.logger,
        now: shared.now, node: shared.node)
    return MailWorker(
        store: shared.store, delivery: delivery, signal: shared.outboxSignal, places: shared.settings.mailConcurrency,
        logger: shared.logger, audit: shared.audit, now: shared.now)
}

private func signalWorker(_ shared: SharedServices, _ keys: [SigningAlgorithm: SigningKeys]) -> SignalWorker {
    SignalWorker(
        store: shared.store, targets: shared.settings.signalTargets(key: shared.secretKey, keys: keys),
        delivery: SignalDelivery(
            store: shared.store, logger: shared.logger, now: shared.now, node: shared.node.id), audit: shared.audit)
}
