import ArgumentParser
import Essentials
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import Serving
import Vestibule

/// `vestibule serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the front door.", discussion: "Ends on SIGTERM or SIGINT after answering what is under way."
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var start: StartOptions

    /// What the site shows, read from the moment when this is first asked for: beside the rest of
    /// the start, which takes about as long.
    static let files = Task {
        let resources = try Self.resources.get()
        return try Wiring.reading(resources) { try SiteFiles(resources) }
    }
    private static let resources = Result { try Wiring.resources() }

    func run() async throws {
        let settings = try options.settings()
        if settings.mode == .production { Self.forbidCoreDumps() }
        try ListeningAddress(host: settings.host, port: settings.port).check()
        let nodeName = "\(ProcessInfo.processInfo.hostName):\(settings.port)"
        let logger = Wiring.logger(settings, nodeName: nodeName)
        // Where there are none nothing is made: somebody has started in the wrong folder.
        _ = try Self.resources.get()
        let content = Task {
            let files = try await Self.files.value
            return try Wiring.reading(files.resources) { try SiteContent(files, settings: settings) }
        }
        try start.checkFile(settings)
        let knownKey = try Wiring.knownSecretKey(settings)
        try Wiring.outboundLibrary(settings)
        let store = try Wiring.store(settings.databaseURL)
        try await Wiring.closing(store) {
            // What is wrong in it has to be known before anything is migrated.
            let content = try await content.value
            // Most people come to it first; what is left of the start keeps one processor busy.
            Task { try? content.pages.prepare("login") }
            try await start.migrate(store, settings, isWithoutKey: knownKey == nil)
            let secretKey = if let knownKey { knownKey } else { try await Wiring.firstSecretKey(settings, of: store) }
            let program = Dependencies.Program(nodeName: nodeName, version: ProgramVersion.current)
            let dependencies = Dependencies(
                settings: settings, store: store, mailTransport: Wiring.mailTransport(settings), secretKey: secretKey,
                commonPasswords: content.commonPasswords, logger: logger, program: program)
            let application = try buildApplication(dependencies, content: content)
            let signals = await SignalledShutdown(notice: program.shutdown, delay: settings.shutdownDelay)
            logger.notice(
                "sys_startup",
                metadata: [
                    "event": "sys_startup", "open": "\(settings.publicURL)", "node": "\(nodeName)",
                    "version": "\(ProgramVersion.current)",
                    "files": "\(content.resources.places.joined(separator: ", "))",
                ])
            try await Self.serve(application, until: signals, settings, logger)
            logger.notice("sys_shutdown", metadata: ["event": "sys_shutdown"])
        }
    }

    /// They would hold keys and passwords. For this process and those it starts; best effort.
    private static func forbidCoreDumps() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }

    private static func serve(
        _ application: any Service, until signals: SignalledShutdown, _ settings: Settings, _ logger: Logger
    ) async throws {
        do {
            try await ServiceGroup(configuration: lifecycle(application, signals, logger)).run()
        } catch {
            throw CommandFailure(
                "the server stopped: \(error)",
                hint:
                    "Is something else listening on \(settings.host):\(settings.port), or is that no address of this machine?"
            )
        }
    }

    private static func lifecycle(
        _ application: any Service, _ signals: SignalledShutdown, _ logger: Logger
    ) -> ServiceGroupConfiguration {
        var configuration = ServiceGroupConfiguration(
            services: [
                // Without a name, one is derived from all that the service holds, which is slow.
                .init(service: application, serviceName: "server"),
                .init(
                    service: signals, successTerminationBehavior: .gracefullyShutdownGroup, serviceName: "signals"),
            ],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        return configuration
    }
}
