import Bytes
import Foundation

/// Asks a server on this machine for `/readyz` over a plain socket: no library is loaded for it.
struct ReadinessProbe {
    /// As the server listens on it. To connect to the unspecified address means this machine.
    let host: String
    let port: Int

    struct Answer {
        let isReady: Bool
        /// `ok`, or the part that cannot work; the status line if another server answered.
        let word: String
    }

    /// Each step may take this long.
    private static let patience = timeval(tv_sec: 4, tv_usec: 0)
    /// Far more than the answer has.
    private static let longestAnswer = 16_384

    /// Nil if nothing answers. Blocks.
    func ask() -> Answer? {
        guard let connection = connected() else { return nil }
        let request = Array("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        defer { close(connection) }
        guard send(connection, request, request.count, Int32(MSG_NOSIGNAL)) == request.count,
            let bytes = Self.received(connection)
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).textLines
        let isReady = lines[0].begins(with: "HTTP/1.1 200 ")
        let isOurs = isReady || lines[0].begins(with: "HTTP/1.1 503 ")
        // A body of one line ends with a newline.
        return Answer(isReady: isReady, word: String(isOurs ? lines.dropLast().last ?? lines[0] : lines[0]))
    }

    /// All that comes until the connection ends. Nil if that is nothing, or takes too long.
    private static func received(_ connection: Int32) -> [UInt8]? {
        let end = ContinuousClock.now + .seconds(patience.tv_sec)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while bytes.count < longestAnswer {
            let count = recv(connection, &piece, piece.count, 0)
            guard count > 0 else { return count == 0 && !bytes.isEmpty ? bytes : nil }
            guard .now < end else { return nil }
            bytes += piece.prefix(count)
        }
        return bytes
    }

    /// The first of the host's addresses that takes the connection.
    private func connected() -> Int32? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0 else { return nil }
        defer { freeaddrinfo(found) }
        var next = found
        while let address = next?.pointee {
            let connection = socket(address.ai_family, address.ai_socktype, 0)
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                var patience = Self.patience
                setsockopt(connection, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
            }
            if connect(connection, address.ai_addr, address.ai_addrlen) == 0 { return connection }
            close(connection)
            next = address.ai_next
        }
        return nil
    }
}
