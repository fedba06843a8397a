import ArgumentParser
import Essentials
import HTTPTypes
import Serving
import Vestibule

/// `vestibule doctor`
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: """
            Check settings, address, templates, store, mail transport, providers, hashing, clock and file modes.
            """,
        discussion: """
            With --peer and --header it prints the client address that would be believed for such a request: send your \
            proxy's headers through it before you set VESTIBULE_TRUSTED_PROXIES.
            """
    )

    @OptionGroup var options: CommonOptions

    @Flag(help: "List every setting with its default and meaning, and stop.")
    var settings = false

    @Option(help: "Print what a language lacks, such as fr, as JSON to fill in, and stop.")
    var missing: String?

    @Option(help: "Address the request comes from, as the server sees it.")
    var peer: String?

    @Option(help: "A header of the request, such as 'X-Forwarded-For: 192.0.2.1'. May be repeated.")
    var header: [String] = []

    @Option(
        help: "Propose Argon2 settings for a hash that takes so long here, such as 250ms, and stop.",
        transform: Milliseconds.init)
    var tune: Milliseconds?

    func validate() throws {
        guard header.isEmpty || peer != nil else {
            throw ValidationError("--header is of a request: give --peer, too.")
        }
    }

    func run() async throws {
        if settings { return try Self.listSettings() }
        if let missing { return try Self.printUntranslated(missing) }
        let settings = try options.settings()
        if let peer { return try printClient(peer, settings) }
        if let tune { return try DoctorTuning.propose(tune, settings) }
        var report = DoctorReport()
        report.noteSettings(settings)
        report.checkPlace(settings)
        report.checkAddress(settings)
        await report.checkKey(settings)
        report.checkResources(settings)
        report.checkOverriddenTemplates(settings)
        report.checkTheme()
        report.checkBrandFiles()
        report.checkLanguages()
        report.checkPrivacyPage(settings)
        await report.checkStore(settings)
        await report.checkMail(settings)
        report.checkSender(settings)
        await report.checkProviders(settings)
        report.checkProxies(settings)
        report.checkApplications(settings)
        report.checkVerification(settings)
        await report.checkClients(settings)
        report.checkPasskeys(settings)
        report.checkHashing(settings)
        report.checkClock()
        report.checkModes(settings)
        report.checkOwners(settings)
        guard report.failures == 0 else {
            throw CommandFailure("\(report.failures) check(s) failed", hint: "Each is named above.")
        }
    }

    private static func listSettings() throws {
        for setting in Setting.allCases {
            try Output.print("\(setting.rawValue)=\(setting.standard ?? "")\n    \(setting.meaning)")
        }
        let named: [any NamedSetting] =
            Array(ProviderSetting.allCases) + Array(ApplicationSetting.allCases) + Array(WebhookSetting.allCases)
        for setting in named {
            try Output.print("\(setting.name(of: "<NAME>"))=\n    \(setting.meaning)")
        }
    }

    private static func printUntranslated(_ code: String) throws {
        do {
            guard let json = try Wiring.resources().untranslated(code) else {
                throw CommandFailure("\(code) is not the code of a language", hint: "Such as fr or pt-br.")
            }
            try Output.print(json)
        } catch let fault as TemplateFault {
            throw CommandFailure("\(fault)", hint: "Mend that file first.")
        }
    }

    private func printClient(_ peer: String, _ settings: Settings) throws {
        guard let address = IPAddress(peer) else {
            throw CommandFailure("\(peer) is not a network address", hint: "Such as --peer 127.0.0.1")
        }
        var headers = HTTPFields()
        for line in header {
            let parts = line.parts(by: ":", atMost: 2).map(\.trimmingSpaces)
            guard parts.count == 2, let name = HTTPField.Name(parts[0]) else {
                throw CommandFailure("\(line) is not a header", hint: "Such as --header 'Forwarded: for=192.0.2.1'")
            }
            headers.append(HTTPField(name: name, value: parts[1]))
        }
        let finder = ClientAddressFinder(trusted: settings.trustedProxies)
        try Output.print("\(finder.client(peer: .known(address), headers: headers))")
        guard !header.isEmpty, !finder.isTrusted(.known(address)) else { return }
        Output.note("\(peer) is not in VESTIBULE_TRUSTED_PROXIES, so its headers are not believed.")
    }
}
