import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/.well-known/passkey-endpoints` (W3C, Passkey Endpoints) and
/// `/.well-known/apple-app-site-association`, which lets native apps use the site's passkeys.
struct PasskeyWellKnownRoutes {
    let publicURL: PublicURL
    /// Team and bundle: `TEAMID.com.example.app`.
    let appleApps: [String]

    func add(to routes: some RouterMethods<AppContext>) {
        let page = publicURL.url(PasskeyRoutes.path)
        routes.get("/.well-known/passkey-endpoints") { _, _ in
            try JSONReply.of(["enroll": page, "manage": page])
        }
        guard !appleApps.isEmpty else { return }
        routes.get("/.well-known/apple-app-site-association") { _, _ in
            try JSONReply.of(["webcredentials": ["apps": appleApps]])
        }
    }
}
