import CCurl
import Essentials
import Mailing
import Vestibule

/// Sends requests as they are written, through libcurl, which corrects neither paths nor headers.
struct ProxyProbe {
    let origin: Origin
    /// What the URL names.
    let path: String

    /// One request and its answer of at most 1 MiB; redirects are not followed. Blocks. Throws
    /// `CommandFailure`.
    func send(_ attack: ProxyAttack, token: String?) throws -> ProxyAnswer {
        guard CurlLibrary.isReady, let handle = vestibule_curl_make() else {
            throw CommandFailure("libcurl cannot be loaded", hint: "Install it (Debian: libcurl4).")
        }
        defer { vestibule_curl_free(handle) }
        configure(handle, target: attack.target ?? path)
        var lines = ["Accept: text/html", "User-Agent: vestibule-check-proxy"] + attack.headers
        if let host = attack.host { lines.append("Host: \(host)") }
        if let token { lines.append("Vestibule-Token: \(token)") }
        if !attack.trailers.isEmpty { lines += ["Transfer-Encoding: chunked", "Expect:"] }
        let (headers, trailers) = (Self.list(lines), Self.list(attack.trailers))
        defer {
            vestibule_curl_list_free(headers)
            vestibule_curl_list_free(trailers)
        }
        _ = vestibule_curl_set_headers(handle, headers)
        if !attack.trailers.isEmpty { _ = vestibule_curl_set_trailers(handle, trailers) }
        let received = CurlDownload()
        _ = vestibule_curl_set_receiver(handle, CurlDownload.write, Unmanaged.passUnretained(received).toOpaque())
        let code = withExtendedLifetime(received) { vestibule_curl_perform(handle) }
        let status = vestibule_curl_reply_code(handle)
        guard code == CURLE_OK || status > 0 else {
            return ProxyAnswer(status: 0, text: code.sentence)
        }
        return ProxyAnswer(status: status, text: String(decoding: received.body, as: UTF8.self))
    }

    private static func list(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
        lines.reduce(nil) { vestibule_curl_list_append($0, $1) ?? $0 }
    }

    private func configure(_ handle: UnsafeMutableRawPointer, target: String) {
        let numbers: KeyValuePairs<CURLoption, Int> = [
            CURLOPT_HEADER: 1, CURLOPT_NOSIGNAL: 1, CURLOPT_FOLLOWLOCATION: 0, CURLOPT_CONNECTTIMEOUT_MS: 5_000,
            CURLOPT_TIMEOUT_MS: 10_000, CURLOPT_HTTP_VERSION: 2, CURLOPT_PATH_AS_IS: 1,
        ]
        _ = vestibule_curl_allow_only_web(handle)
        for (option, number) in numbers { _ = vestibule_curl_set_number(handle, option, number) }
        _ = vestibule_curl_set_text(handle, CURLOPT_URL, origin.text)
        _ = vestibule_curl_set_text(handle, CURLOPT_REQUEST_TARGET, target)
        _ = vestibule_curl_set_text(handle, CURLOPT_PROXY, "")
    }
}
