import Essentials
import Vestibule

extension DoctorReport {
    /// Browsers know passkeys of hosts with a name only (WebAuthn level 3, section 5.1.2).
    func checkPasskeys(_ settings: Settings) {
        let host = settings.publicURL.origin.host
        guard settings.passkeys, !settings.offersPasskeys else { return }
        warn("passkeys", "no browser takes one for \(host), an IP address: give VESTIBULE_PUBLIC_URL a name")
    }

    /// Without TLS of its own, production is behind a proxy, for which alone it takes everybody.
    func checkProxies(_ settings: Settings) {
        if settings.trustedProxies.contains(where: \.isEverything) {
            warn(
                "proxies",
                "VESTIBULE_TRUSTED_PROXIES has every address, so each visitor may claim to come from another: name the proxies only"
            )
        }
        guard settings.mode == .production, settings.trustedProxies.isEmpty else { return }
        warn(
            "proxies",
            "VESTIBULE_TRUSTED_PROXIES is not set, so all visitors count as one, the proxy, and share its limits: "
                + "name the proxy's address as the server sees it")
    }

    /// Whether the applications of the settings can be entered, and only as they should be.
    mutating func checkApplications(_ settings: Settings) {
        let applications = settings.applications
        guard !applications.isEmpty else { return }
        let names = applications.map(\.name).joined(separator: ", ")
        let isAsked = applications.contains { !$0.origins.isEmpty }
        let noProxy = "VESTIBULE_TRUSTED_PROXIES names no proxy, so nobody may ask who is signed in"
        let cookies = applications.flatMap { Self.cookieProblems($0, settings) }
        note(
            "applications",
            (isAsked && settings.trustedProxies.isEmpty ? [noProxy] : []) + cookies
                + Self.overlaps(applications, settings.publicURL),
            good: "applications (\(names))")
    }

    /// Applications take an address for a person.
    func checkVerification(_ settings: Settings) {
        guard !settings.applications.isEmpty, !settings.verificationRequired else { return }
        warn(
            "applications",
            "VESTIBULE_VERIFICATION is off, so anybody may sign up with an address that is not theirs: an application that "
                + "identifies people by address takes them for its owner")
    }

    /// Whether those that sign in by OpenID Connect answer where the settings say. They may be out
    /// of this machine's sight, or be started later.
    func checkClients(_ settings: Settings) async {
        let probes = settings.applications.compactMap { ClientProbe($0) }
        guard !probes.isEmpty, CurlLibrary.isReady else { return }
        let problems = await withTaskGroup(of: [String].self) { group in
            for probe in probes { group.addTask { await probe.problems() } }
            return await group.reduce(into: [String]()) { $0 += $1 }
        }
        for problem in problems.sorted() { warn("applications", problem) }
    }

    /// Nobody can sign in to a confidential client that has no secret.
    func checkSecrets(of applications: [ProtectedApplication], _ store: any ClientSecretStore) async throws {
        for application in applications where application.client?.isPublic == false {
            guard try await store.clientSecrets(of: application.name).isEmpty else { continue }
            warn(
                "applications",
                "\(application.label) has no secret for OpenID Connect: `vestibule apps secret \(application.name)` makes one"
            )
        }
    }

    /// A cookie with `__Host-` is kept over https only.
    private static func cookieProblems(_ application: ProtectedApplication, _ settings: Settings) -> [String] {
        let plain = application.origins.filter { !$0.isSecure }
        if settings.mode == .production {
            return plain.map {
                "\(application.label) is at \($0.text): plain http, which no cookie of this site goes over"
            }
        }
        guard settings.publicURL.isSecure else { return [] }
        return plain.map { "the cookie does not reach \(application.label) at \($0.text), as this site is https" }
    }

    /// Cookies are of a host, whatever the port.
    private static func overlaps(_ applications: [ProtectedApplication], _ publicURL: PublicURL) -> [String] {
        var places = [(origin: publicURL.origin, label: "this site")]
        var problems: [String] = []
        for application in applications {
            for origin in application.origins {
                if origin == publicURL.origin {
                    guard publicURL.path.isEmpty else { continue }
                    problems.append(
                        "\(application.label) and this site overlap at \(origin.text): give VESTIBULE_PUBLIC_URL a path"
                    )
                } else if let other = places.first(where: { $0.origin.host.isExactly(origin.host) }) {
                    problems.append(
                        "\(application.label) at \(origin.text) and \(other.label) at \(other.origin.text) share a host, "
                            + "and so their cookies")
                }
                places.append((origin, application.label))
            }
        }
        return problems
    }
}
