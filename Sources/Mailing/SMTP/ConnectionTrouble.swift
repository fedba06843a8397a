import CCurl
import Essentials

/// Why nothing can be said to a server, as an operator knows it and not as libcurl calls it.
package enum ConnectionTrouble: CaseIterable, Sendable {
    case certificate, noStartTLS, noTLS, unknownName, nobody, silence, otherProtocol, noCredentials, wrongCredentials
    case noSignIn, sender, thisMachine, quota

    /// Nil for what is rare enough for libcurl's own words.
    init?(_ code: CURLcode) {
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION: self = .certificate
        case CURLE_USE_SSL_FAILED: self = .noStartTLS
        case CURLE_SSL_CONNECT_ERROR: self = .noTLS
        case CURLE_COULDNT_RESOLVE_HOST: self = .unknownName
        case CURLE_COULDNT_CONNECT: self = .nobody
        case CURLE_OPERATION_TIMEDOUT: self = .silence
        case CURLE_WEIRD_SERVER_REPLY: self = .otherProtocol
        default: return nil
        }
    }

    /// Goes on after "cannot talk to the server:", or is the whole reason.
    package var sentence: String {
        switch self {
        case .certificate: "its certificate has expired, is of an authority not known here, or for another name"
        case .noStartTLS: "it offers no STARTTLS at this port"
        case .noTLS: "it speaks no TLS at this port"
        case .unknownName: "there is no such host name"
        case .nobody: "nothing listens at this host and port"
        case .silence: "it did not answer in time"
        case .otherProtocol: "something else than a mail server answers at this port"
        case .noCredentials: "user name and password are missing"
        case .wrongCredentials: "user name or password is wrong"
        case .noSignIn: "it offers no sign-in at this port (AUTH PLAIN or LOGIN)"
        case .sender: "sender refused"
        case .thisMachine: "it takes no mail from this machine"
        case .quota: "sending limit reached"
        }
    }

    /// What to do about it with a mail server.
    package var hint: String {
        switch self {
        case .certificate:
            "put a private authority's certificate into /usr/local/share/ca-certificates (as .crt), run "
                + "update-ca-certificates; check that the host in VESTIBULE_MAIL_URL is the name in the certificate, "
                + "and this machine's clock"
        case .noStartTLS, .noTLS, .silence, .otherProtocol:
            "smtp:// goes with port 587 (STARTTLS), smtps:// with port 465 (TLS)"
        case .unknownName, .nobody: "see host and port in VESTIBULE_MAIL_URL, and whether a firewall lets mail out"
        case .noCredentials, .wrongCredentials:
            "VESTIBULE_MAIL_URL is smtp://user:password@host:587, with @ as %40 and : as %3A in user and password"
        case .noSignIn:
            "use the port for sending mail, 587 or 465; where the server accepts this machine without a password, leave "
                + "user and password out of VESTIBULE_MAIL_URL"
        case .sender: "VESTIBULE_MAIL_FROM must be an address that this user may send from"
        case .thisMachine: "ask who runs it whether this machine's IP address may send mail, or is on a block list"
        case .quota: "wait, or ask who runs the mail server for a higher limit"
        }
    }
}

extension CURLcode {
    /// Without names or addresses.
    package var sentence: String { ConnectionTrouble(self)?.sentence ?? text }
}

extension MailFailure {
    /// What an operator can do about it; nil where nothing is known.
    package var hint: String? {
        ConnectionTrouble.allCases.first { reason.holds($0.sentence) }?.hint
    }
}
