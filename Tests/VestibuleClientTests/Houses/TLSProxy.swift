import Foundation
import Synchronization
import TestSupport

/// A Caddy before a server, with a certificate for `localhost` of the authority that is trusted.
struct TLSProxy {
    let url: URL
    private let caddy: LeashedProgram

    init(before server: URL, authority: URL, in folder: URL) throws {
        url = try anyLocalURL("https")
        try Data(
            """
            {
                admin off
                auto_https disable_redirects
                skip_install_trust
                storage file_system \(folder.path)/caddy
                pki {
                    ca local {
                        root {
                            cert \(authority.path)/root.pem
                            key \(authority.path)/root.key
                        }
                    }
                }
            }
            \(url.absoluteString) {
                tls internal
                reverse_proxy 127.0.0.1:\(server.port ?? 0)
            }

            """.utf8
        ).write(to: folder.appending(path: "Caddyfile"))
        caddy = try LeashedProgram(
            BuiltProgram.repository.appending(path: ".venv/bin/caddy"), ["run", "--config", "Caddyfile"], in: folder,
            environment: [:])
    }

    /// Settings of the server behind it.
    var settings: [String: String] {
        [
            "VESTIBULE_PUBLIC_URL": url.absoluteString, "VESTIBULE_DEV_EXPOSE": "on",
            "VESTIBULE_TRUSTED_PROXIES": "127.0.0.1",
        ]
    }
}

/// An address of this machine that is probably free. None is given twice: a second server would not
/// start, and its tests would meet the first one.
func anyLocalURL(_ scheme: String) throws -> URL {
    let port = 10_000 + portsGiven.add(1, ordering: .relaxed).newValue % 22_000
    guard let url = URL(string: "\(scheme)://localhost:\(port)") else { throw Unexpected(port) }
    return url
}

/// Begins anywhere, as other runs may go on at the same time.
private let portsGiven = Atomic(Int.random(in: 0..<22_000))
