import Foundation

/// Where the server is to listen.
struct ListeningAddress {
    let host: String
    let port: Int
    /// What to do when another program listens there.
    var hintIfTaken = "Stop it, or choose another port: VESTIBULE_PORT or --port."

    /// Binds the address for a moment, before anything is opened, written or logged. Throws
    /// `CommandFailure` if it is taken or not one of this machine. With `onlyHost` it asks only for
    /// an address of this machine: the server may be running, and may have rights that this user
    /// lacks.
    func check(onlyHost: Bool = false) throws {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let answer = getaddrinfo(host, "\(port)", &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard answer == 0, let address = found?.pointee else {
            throw failure("is no address", hint: "Set VESTIBULE_HOST or --host to an address of this machine.")
        }
        let listener = socket(address.ai_family, address.ai_socktype, 0)
        guard listener >= 0 else { throw failure(Self.reason, hint: "See VESTIBULE_HOST.") }
        defer { close(listener) }
        // As the server does it: the closed connections of one just stopped do not count.
        var reuse: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        if bind(listener, address.ai_addr, address.ai_addrlen) == 0, onlyHost || listen(listener, 1) == 0 { return }
        switch errno {
        case EADDRINUSE where onlyHost, EACCES where onlyHost: return
        case EADDRINUSE:
            throw failure("is taken: another program listens there", hint: hintIfTaken)
        case EADDRNOTAVAIL:
            throw failure("is no address of this machine", hint: "Set VESTIBULE_HOST or --host to one of its own.")
        case EACCES:
            throw failure(
                "needs more rights",
                hint: "Choose a port of 1024 or above (VESTIBULE_PORT or --port), and put a proxy before it.")
        default: throw failure(Self.reason, hint: "See VESTIBULE_HOST and VESTIBULE_PORT.")
        }
    }

    private func failure(_ problem: String, hint: String) -> CommandFailure {
        let shown = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return CommandFailure("\(shown):\(port) \(problem)", hint: hint)
    }

    private static var reason: String { "cannot be listened on: \(String(cString: strerror(errno)))" }
}
