import Essentials

extension Settings {
    /// Development mode shows every mail to anybody who asks, so other machines are let in only on
    /// purpose.
    func checkDevelopment() throws(SettingFault) {
        guard answersLoopbackOnly else { return }
        guard host == "localhost" || IPAddress(host)?.isLoopback == true else {
            throw SettingFault(
                .host, "is \"\(host)\", and development mode answers this machine only",
                hint: "127.0.0.1, ::1 or localhost; VESTIBULE_MODE=production serves others, and "
                    + "VESTIBULE_DEV_EXPOSE=on lets others see all that development mode shows."
            )
        }
        guard !publicURL.isSecure else {
            throw SettingFault(
                .publicURL, "is https, which development mode is not meant for",
                hint: "An http URL such as http://localhost:8080; VESTIBULE_MODE=production serves others, and "
                    + "VESTIBULE_DEV_EXPOSE=on lets others see all that development mode shows."
            )
        }
    }

    /// Whether requests of other machines are refused.
    var answersLoopbackOnly: Bool { mode == .development && !devExpose }
}
