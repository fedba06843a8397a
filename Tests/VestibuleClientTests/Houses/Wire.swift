import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A server that answers each request as a test says, and remembers what it was sent.
final class Wire: Sendable {
    let url: URL
    private let listener: Int32
    private let seen = Mutex<[String]>([])

    /// What arrived, one text a request.
    var requests: [String] { seen.withLock { $0 } }

    /// `answer` is given the request; nil closes the connection without a word.
    convenience init(_ answer: @escaping @Sendable (_ request: String) -> String?) throws {
        try self.init { request, _ in answer(request) }
    }

    /// Answers nothing; remembers `closed` when the client gives up.
    static func silent() throws -> Wire {
        try Wire { _, connection in
            _ = read(connection)
            return nil
        } afterwards: {
            "closed"
        }
    }

    /// Answers an empty page, five bytes a second.
    static func dripping(bytes: Int) throws -> Wire {
        try Wire { _, connection in
            write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: \(bytes)\r\n\r\n", to: connection)
            for _ in 1...bytes {
                Thread.sleep(forTimeInterval: 0.2)
                write(" ", to: connection)
            }
            return nil
        }
    }

    private init(
        _ answer: @escaping @Sendable (_ request: String, _ connection: Int32) -> String?,
        afterwards: @escaping @Sendable () -> String? = { nil }
    ) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isListening, let url = URL(string: "http://127.0.0.1:\(address.sin_port.bigEndian)") else {
            throw Unexpected("no socket")
        }
        (self.url, self.listener) = (url, listener)
        Thread.detachNewThread { [weak self] in
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                guard let self else {
                    close(connection)
                    break
                }
                Thread.detachNewThread {
                    let request = Self.read(connection)
                    self.seen.withLock { $0.append(request) }
                    if let text = answer(request, connection) { Self.write(text, to: connection) }
                    if let text = afterwards() { self.seen.withLock { $0.append(text) } }
                    close(connection)
                }
            }
            close(listener)
        }
    }

    /// The thread that accepts closes the socket: its number may be that of another `Wire` at once,
    /// whose connections that thread would take.
    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Head and body.
    private static func read(_ connection: Int32) -> String {
        var (text, buffer) = ("", [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return text }
            text += String(decoding: buffer[..<count], as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { continue }
            let length = text.firstMatch(of: #/(?i)content-length: (\d+)/#).flatMap { Int($0.1) } ?? 0
            if text[end.upperBound...].utf8.count >= length { return text }
        }
    }

    private static func write(_ text: String, to connection: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// An answer of HTTP/1.1.
    static func answer(_ status: String, _ type: String, _ body: String, _ header: String = "X: 1") -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\(header)\r\n\r\n\(body)"
    }

    /// Passes a request on to a real server, and returns what it answers.
    static func relay(_ request: String, to url: URL) -> String {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(connection) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(url.port ?? 0).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard isConnected == 0 else { return "" }
        write(request, to: connection)
        return read(connection)
    }
}
