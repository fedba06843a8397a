import CCurl
import Glibc

/// libcurl as a whole, loaded when first asked for.
package enum CurlLibrary {
    /// False when it is missing or cannot start.
    // A static is initialized once, whichever thread comes first, as curl_global_init demands.
    package static let isReady: Bool = {
        // Told not to use signals, libcurl leaves SIGPIPE to us; a server that hangs up must not
        // end the process.
        signal(SIGPIPE, SIG_IGN)
        return vestibule_curl_load()
    }()
}
