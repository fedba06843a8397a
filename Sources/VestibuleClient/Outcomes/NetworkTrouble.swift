public import Foundation

/// No answer of the server arrived. A call that changes something may have been carried out all the
/// same, unless it is `noConnection`.
public enum NetworkTrouble: Error, Sendable, Hashable {
    /// The server was not reached.
    case noConnection
    /// The connection broke or took too long, or a proxy found no server behind it.
    case noAnswer
    /// Something else answered: the sign-in page of a network, a redirect, no JSON, too much of it.
    case strangeAnswer

    /// One English sentence for people.
    public var sentence: String {
        switch self {
        case .noConnection, .strangeAnswer: "No connection. Check your network and try again."
        case .noAnswer: "Something went wrong on our side. Please try again."
        }
    }
}

extension NetworkTrouble: LocalizedError {
    /// The sentence for people.
    public var errorDescription: String? { sentence }
}

extension NetworkTrouble {
    /// What the system says went wrong.
    init(_ error: any Error) {
        let unreached: Set<URLError.Code> = [
            .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .dataNotAllowed,
            .internationalRoamingOff, .callIsActive, .secureConnectionFailed, .serverCertificateUntrusted,
            .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .unsupportedURL, .badURL, .appTransportSecurityRequiresSecureConnection,
        ]
        self = (error as? URLError).map { unreached.contains($0.code) } == true ? .noConnection : .noAnswer
    }
}
