/// Writes a line of the log for what an application asked for by OpenID Connect and does not get.
struct ClientRefusals: Sendable {
    let applications: Applications
    let audit: Audit

    /// `client`: the `client_id` that was sent, if any; `redirect`: the redirect URI that was sent.
    func log(
        _ error: String, _ reason: String = "", client: String?, redirect: String = "", at path: String,
        visitor: Visitor
    ) {
        audit.log(
            .clientRefused, visitor: visitor, path: path,
            [
                "application": name(client ?? ""), "error": error, "reason": reason,
                "redirect_uri": Self.bare(redirect),
            ])
    }

    /// The application's name, or "unknown": an id that is no application's may be a secret that
    /// was sent in its place.
    private func name(_ id: String) -> String {
        id.isEmpty ? "" : applications.application(named: id)?.name ?? "unknown"
    }

    /// Without query and fragment, which may be personal or secret; nothing where there may be a
    /// user name or an email address.
    private static func bare(_ uri: String) -> String {
        guard !uri.utf8.contains(UInt8(ascii: "@")) else { return "" }
        return String(Substring(uri.utf8.prefix { !"?# ".utf8.contains($0) }))
    }
}
