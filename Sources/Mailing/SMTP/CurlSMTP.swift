import CCurl
import Essentials

/// One SMTP conversation through libcurl; blocks, belongs to one thread, and is used once.
final class CurlSMTP {
    private let handle: UnsafeMutableRawPointer
    let progress = SMTPProgress()
    private static let quitSeconds = 2

    init() throws(MailFailure) {
        guard CurlLibrary.isReady, let handle = vestibule_curl_make() else { throw .temporary("libcurl cannot start") }
        self.handle = handle
    }

    deinit {
        limitQuit()
        vestibule_curl_free(handle)
    }

    /// Bounds the wait for the answer to QUIT, which freeing the handle sends. libcurl takes the
    /// timeout of the last transfer that began, so this begins one: it has no URL, and fails at
    /// once.
    private func limitQuit() {
        guard vestibule_curl_set_text(handle, CURLOPT_URL, nil) == CURLE_OK else { return }
        _ = vestibule_curl_set_number(handle, CURLOPT_SERVER_RESPONSE_TIMEOUT, Self.quitSeconds)
        _ = vestibule_curl_perform(handle)
    }

    /// Hands a whole message over; libcurl doubles leading dots (RFC 5321, 4.5.2).
    func upload(_ message: [UInt8], from sender: String, to recipient: String) throws(MailFailure) {
        guard let recipients = vestibule_curl_list_append(nil, recipient) else { throw .temporary("out of memory") }
        defer { vestibule_curl_list_free(recipients) }
        let upload = CurlUpload(message, progress)
        try set(CURLOPT_MAIL_FROM, sender)
        try checked(vestibule_curl_set_recipients(handle, recipients))
        try set(CURLOPT_UPLOAD, 1)
        try checked(vestibule_curl_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(message.count)))
        try checked(vestibule_curl_set_reader(handle, CurlUpload.read, Unmanaged.passUnretained(upload).toOpaque()))
        try withExtendedLifetime(upload) { () throws(MailFailure) in try perform(upload) }
    }

    /// Says one command after greeting and authentication.
    func command(_ command: String) throws(MailFailure) {
        try set(CURLOPT_CUSTOMREQUEST, command)
        try set(CURLOPT_NOBODY, 1)
        try perform()
        // libcurl takes some refusals for an answer.
        let reply = vestibule_curl_reply_code(handle)
        guard (200...299).contains(reply), !progress.lacksSignIn else {
            throw MailFailure(CURLE_OK, reply: reply, at: progress)
        }
    }

    func set(_ option: CURLoption, _ text: String) throws(MailFailure) {
        try checked(vestibule_curl_set_text(handle, option, text))
    }

    func set(_ option: CURLoption, _ number: Int) throws(MailFailure) {
        try checked(vestibule_curl_set_number(handle, option, number))
    }

    func allowOnlyMail() throws(MailFailure) {
        try checked(vestibule_curl_allow_only_mail(handle))
        // Without a reader of its own, libcurl prints what the server says.
        try checked(vestibule_curl_set_writer(handle) { _, size, count, _ in size * count })
    }

    private func perform(_ upload: CurlUpload? = nil) throws(MailFailure) {
        try checked(
            vestibule_curl_set_observer(handle, SMTPProgress.note, Unmanaged.passUnretained(progress).toOpaque()))
        let code = vestibule_curl_perform(handle)
        let reply = vestibule_curl_reply_code(handle)
        if upload?.isRead == true { progress.noteEnd() }
        // To libcurl only 250 says that the server has taken the mail.
        let isTaken = progress.step == .end && (200...299).contains(reply)
        guard code != CURLE_OK, !isTaken else { return }
        throw MailFailure(code, reply: reply, at: progress)
    }

    private func checked(_ code: CURLcode) throws(MailFailure) {
        guard code == CURLE_OK else { throw .temporary("libcurl refuses a setting: \(code.text)") }
    }
}

extension CURLcode {
    /// What libcurl calls it; a fixed sentence without names or addresses.
    package var text: String { String(cString: vestibule_curl_text(self)) }
}
