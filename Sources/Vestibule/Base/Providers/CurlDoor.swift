import CCurl
import Essentials
import Glibc

/// Which addresses a call may reach.
enum AddressPolicy: Sendable {
    case any
    /// Those of the Internet, and the one that the URL names itself: an IP address, or this machine
    /// as `localhost`.
    case publicOr(Origin)

    func allows(_ address: IPAddress) -> Bool {
        switch self {
        case .any: return true
        case .publicOr(let origin):
            let host = origin.host.trimming { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
            let isNamed = IPAddress(host) == address || host.isExactly("localhost") && address.isLoopback
            return isNamed || address.isPublic
        }
    }
}

/// Looks at each address that libcurl is about to connect to: what a name leads to may have changed
/// since it was looked up for a check.
final class CurlDoor {
    private let policy: AddressPolicy
    /// The last address that was refused.
    private(set) var refused: IPAddress?

    init(_ policy: AddressPolicy) {
        self.policy = policy
    }

    /// The callback (CURLOPT_OPENSOCKETFUNCTION); its first argument is an unretained `CurlDoor`.
    static let open: curl_opensocket_callback = { target, _, address in
        guard let target, let address else { return CURL_SOCKET_BAD }
        let door = Unmanaged<CurlDoor>.fromOpaque(target).takeUnretainedValue()
        guard door.admits(&address.pointee.addr, length: address.pointee.addrlen) else { return CURL_SOCKET_BAD }
        return socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }

    private func admits(_ address: UnsafePointer<sockaddr>, length: UInt32) -> Bool {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        // A link-local address has its interface behind it.
        let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard code == 0, let ip = name.parts(by: "%").first.flatMap({ IPAddress($0) }) else { return false }
        guard policy.allows(ip) else {
            refused = ip
            return false
        }
        return true
    }
}
