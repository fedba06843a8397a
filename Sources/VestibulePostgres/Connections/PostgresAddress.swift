import CLibPQ
import Essentials
package import Vestibule

/// The functions of libpq by their names (see its manual). None may be called before
/// `PostgresAddress.isLibraryReady` was seen to be true.
var libpq: vestibule_libpq { vestibule_libpq_functions().pointee }

/// Where a database is, read by libpq; its password among it.
struct PostgresAddress: Sendable {
    struct Option: Sendable {
        let name: String
        let value: String
    }

    /// Whether libpq, which is loaded when first asked for, is version 14 or newer.
    fileprivate static let isLibraryReady = vestibule_libpq_load()

    /// The options of one server after the other, in the order of the address.
    let servers: [[Option]]

    /// Throws `PostgresFault` when libpq cannot be loaded or cannot read the address.
    init(_ url: PostgresURL) throws {
        guard Self.isLibraryReady else {
            throw PostgresFault("libpq 14 or newer cannot be loaded (Debian: libpq5)")
        }
        let said = try Self.parse(url.text)
        let hosts = Self.list(said["host"])
        let addresses = Self.list(said["hostaddr"])
        let ports = Self.list(said["port"])
        let count = max(hosts.count, addresses.count, 1)
        try Self.check(url)
        try Self.check(ports)
        guard ports.count <= 1 || ports.count == count else {
            throw PostgresFault("the address names \(count) servers and \(ports.count) ports")
        }
        guard hosts.isEmpty || addresses.isEmpty || hosts.count == addresses.count else {
            throw PostgresFault("the address names \(hosts.count) servers and \(addresses.count) of hostaddr")
        }
        servers = (0..<count).map { index in
            var options = said
            options["host"] = hosts.isEmpty ? nil : hosts[index]
            options["hostaddr"] = addresses.isEmpty ? nil : addresses[index]
            options["port"] = ports.count == 1 ? ports[0] : ports.isEmpty ? nil : ports[index]
            options["target_session_attrs"] = "read-write"
            options["client_encoding"] = "UTF8"
            options["application_name"] = options["application_name"] ?? "vestibule"
            return options.map(Option.init).sorted { $0.name < $1.name }
        }
    }

    /// Where a password has an @ or a / as it is, the rest would be read as a server, a port or a
    /// database, and printed.
    private static func check(_ url: PostgresURL) throws {
        let bytes = Array(url.text.utf8.prefix { $0 != UInt8(ascii: "?") })
        let isTorn =
            bytes.filter { $0 == UInt8(ascii: "@") }.count > 1
            || bytes.split(separator: UInt8(ascii: "/")).dropFirst(2).contains { $0.contains(UInt8(ascii: "@")) }
        if isTorn { throw unreadable("has an @ or a / where none is expected") }
    }

    /// An empty one is the default.
    private static func check(_ ports: [String]) throws {
        for port in ports where !port.isEmpty {
            guard let number = UInt16(port), number > 0 else { throw unreadable("names a port that is no number") }
        }
    }

    /// Without a word of the address, which may be of the password.
    private static func unreadable(_ why: String) -> PostgresFault {
        PostgresFault("the address \(why): write @ as %40 and / as %2F in a password")
    }

    private static func list(_ text: String?) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        return text.parts(by: ",").map(String.init)
    }

    /// What the address names, by libpq's keywords.
    fileprivate static func parse(_ text: String) throws -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = libpq.PQconninfoParse(text, &message) else {
            libpq.PQfreemem(message)
            // libpq's own words may repeat the password.
            throw PostgresFault("the address cannot be read as libpq reads one")
        }
        defer { libpq.PQconninfoFree(options) }
        var said: [String: String] = [:]
        var next = options
        while let keyword = next.pointee.keyword {
            if let value = next.pointee.val { said[String(cString: keyword)] = String(cString: value) }
            next += 1
        }
        return said
    }
}

extension PostgresURL {
    /// Whether a password, or that of a key, stands in it; false if libpq cannot read it.
    package var hasPassword: Bool {
        guard PostgresAddress.isLibraryReady, let said = try? PostgresAddress.parse(text) else { return false }
        return said["password"] != nil || said["sslpassword"] != nil
    }
}
