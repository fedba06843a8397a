import ArgumentParser
import Essentials

/// Where an application is: `NAME=HOST:PORT` of its server, `NAME=PORT` of one on this machine, or
/// `NAME=/FOLDER` of its files.
struct ProxyTarget {
    enum Target {
        case server(String)
        case folder(String)
    }

    /// As in the names of its settings, in lower case.
    let application: String
    let target: Target

    /// Throws `ValidationError` with the rule.
    static func read(_ argument: String) throws -> ProxyTarget {
        if let target = ProxyTarget(argument) { return target }
        throw ValidationError("NAME=PORT, NAME=HOST:PORT or NAME=/FOLDER, such as notes=3000 or site=/srv/site.")
    }

    private init?(_ argument: String) {
        let parts = argument.parts(by: "=", atMost: 2).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        application = parts[0].asciiLowercased
        if parts[1].begins(with: "/") {
            // Quotes, braces and variables mean something to proxies.
            let isPlain = parts[1].unicodeScalars.allSatisfy {
                $0.value >= 0x20 && !"\"\\{}$;#".unicodeScalars.contains($0)
            }
            guard isPlain else { return nil }
            target = .folder(parts[1])
        } else {
            let isPort = parts[1].utf8.allSatisfy(\.isASCIIDigit)
            let place = "\(isPort ? "127.0.0.1:" : "")\(parts[1])"
            // Proxies write every port, also the one that origins leave out.
            guard let origin = Origin("http://\(place)"), let port = place.parts(by: ":").last.flatMap({ Int($0) })
            else {
                return nil
            }
            target = .server("\(origin.host):\(port)")
        }
    }
}
