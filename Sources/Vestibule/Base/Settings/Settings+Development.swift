import Essentials

extension Settings {
    /// Development mode shows every mail to anybody who asks, so other machines are let in only on
    /// purpose.
    static func host(_ read: SettingsReader, _ mode: Mode?, isExposed: Bool) -> String {
        let host = read.text(.host) ?? ""
        let isOurs = host == "localhost" || IPAddress(host)?.isLoopback == true
        if mode == .development, !isExposed, !isOurs {
            read.note(
                .host, "is \"\(host)\", and development mode answers this machine only",
                hint: "127.0.0.1, ::1 or localhost; \(serveOthers)")
        }
        return host
    }

    /// The same of the URL: one with https is for other people.
    static func checkDevelopment(_ read: SettingsReader, _ url: PublicURL, isExposed: Bool) {
        guard url.isSecure, !isExposed else { return }
        read.note(
            .publicURL, "is https, which development mode is not meant for",
            hint: "An http URL such as http://localhost:8080; \(serveOthers)")
    }

    private static let serveOthers =
        "VESTIBULE_MODE=production serves others, and VESTIBULE_DEV_EXPOSE=on lets others see all that development "
        + "mode shows."

    /// Whether requests of other machines are refused.
    var answersLoopbackOnly: Bool { mode == .development && !devExpose }
}
