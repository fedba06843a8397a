import CCurl
import Essentials

extension CurlSMTP {
    /// Where to connect, as whom, and only encrypted: without STARTTLS nothing is said but EHLO.
    func connect(to server: SMTPServer, greeting domain: String) throws(MailFailure) {
        let host = server.host.holds(":") ? "[\(server.host)]" : server.host
        try allowOnlyMail()
        try set(CURLOPT_URL, "\(server.implicitTLS ? "smtps" : "smtp")://\(host):\(server.port)/\(domain)")
        try set(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue))
        try set(CURLOPT_NOSIGNAL, 1)
        // Proxies in the environment are for other programs; our settings alone say where mails go.
        try set(CURLOPT_PROXY, "")
        guard let user = server.user, let password = server.password else { return }
        progress.expectsSignIn = true
        try set(CURLOPT_USERNAME, user)
        try set(CURLOPT_PASSWORD, password.value)
        // Inside TLS these suffice; left to itself, libcurl tries Kerberos and NTLM first.
        try set(CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN")
    }

    /// Checks certificate and host name, against the system's authorities and those of `caFile`.
    func trust(caFile: String?) throws(MailFailure) {
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let caFile { try set(CURLOPT_CAINFO, caFile) }
    }

    /// Time-outs to the first greeting's connection, and for the whole conversation.
    func limit(connect: Duration, total: Duration) throws(MailFailure) {
        try set(CURLOPT_CONNECTTIMEOUT_MS, connect.milliseconds)
        try set(CURLOPT_TIMEOUT_MS, total.milliseconds)
    }
}

extension Duration {
    fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
}
