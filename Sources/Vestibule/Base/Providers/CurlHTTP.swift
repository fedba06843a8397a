import CCurl
import Essentials
import Mailing

/// One HTTP call through libcurl; blocks, belongs to one thread, and is used once.
final class CurlHTTP {
    private let handle: UnsafeMutableRawPointer
    private static let connectMilliseconds = 5_000
    private static let totalMilliseconds = 10_000

    init() throws(ProviderFault) {
        guard CurlLibrary.isReady, let handle = vestibule_curl_make() else {
            throw .unreachable("libcurl cannot start")
        }
        self.handle = handle
    }

    deinit {
        vestibule_curl_free(handle)
    }

    func send(_ request: OutboundRequest) throws(ProviderFault) -> OutboundAnswer {
        try configure(request)
        var lines = ["Accept: application/json", "User-Agent: Vestibule"] + request.headers
        if let authorization = request.authorization { lines.append("Authorization: \(authorization)") }
        var headers: UnsafeMutablePointer<curl_slist>?
        defer { vestibule_curl_list_free(headers) }
        for line in lines {
            guard let longer = vestibule_curl_list_append(headers, line) else { throw .unreachable("out of memory") }
            headers = longer
        }
        try checked(vestibule_curl_set_headers(handle, headers))
        let download = request.readsAtMost.map(CurlDownload.init(bytesAtMost:)) ?? CurlDownload()
        try checked(
            vestibule_curl_set_receiver(handle, CurlDownload.write, Unmanaged.passUnretained(download).toOpaque()))
        let door = CurlDoor(request.addresses)
        try checked(vestibule_curl_set_opener(handle, CurlDoor.open, Unmanaged.passUnretained(door).toOpaque()))
        let code = withExtendedLifetime((download, door)) { vestibule_curl_perform(handle) }
        let isRead = code == CURLE_OK || request.readsAtMost != nil && download.isFull
        guard isRead else {
            let isDistrusted = code == CURLE_PEER_FAILED_VERIFICATION
            let said = isDistrusted ? ConnectionTrouble.certificate.sentence : code.text
            let reason = download.isFull ? "the answer is larger than 1 MiB" : said
            throw .unreachable(door.refused.map { "\($0) is no address of the Internet" } ?? reason)
        }
        return OutboundAnswer(status: vestibule_curl_reply_code(handle), body: download.body)
    }

    private func configure(_ request: OutboundRequest) throws(ProviderFault) {
        try checked(vestibule_curl_allow_only_web(handle))
        try set(CURLOPT_URL, request.url)
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_CONNECTTIMEOUT_MS, Self.connectMilliseconds)
        try set(CURLOPT_TIMEOUT_MS, Self.totalMilliseconds)
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let json = request.json { try checked(vestibule_curl_set_post(handle, json)) }
        guard let form = request.form else { return }
        let body = form.map { "\($0.formEncoded)=\($1.formEncoded)" }.sorted().joined(separator: "&")
        try checked(vestibule_curl_set_post(handle, body))
    }

    private func set(_ option: CURLoption, _ text: String) throws(ProviderFault) {
        try checked(vestibule_curl_set_text(handle, option, text))
    }

    private func set(_ option: CURLoption, _ number: Int) throws(ProviderFault) {
        try checked(vestibule_curl_set_number(handle, option, number))
    }

    private func checked(_ code: CURLcode) throws(ProviderFault) {
        guard code == CURLE_OK else { throw .unreachable("libcurl refuses a setting: \(code.text)") }
    }
}

/// What libcurl hands over piece by piece; more than 1 MiB, or what was said, ends the call.
package final class CurlDownload {
    private let bytesAtMost: Int
    /// Whether there was more.
    private(set) var isFull = false
    package private(set) var body: [UInt8] = []

    package init(bytesAtMost: Int = 1 << 20) {
        self.bytesAtMost = bytesAtMost
    }

    /// The write callback (CURLOPT_WRITEFUNCTION); its last argument is an unretained
    /// `CurlDownload`.
    package static let write: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int =
        {
            buffer, size, count, target in
            guard let buffer, let target else { return 0 }
            let download = Unmanaged<CurlDownload>.fromOpaque(target).takeUnretainedValue()
            return download.take(UnsafeRawBufferPointer(start: buffer, count: size * count))
        }

    private func take(_ piece: UnsafeRawBufferPointer) -> Int {
        guard body.count + piece.count <= bytesAtMost else {
            isFull = true
            return 0
        }
        body.append(contentsOf: piece)
        return piece.count
    }
}
