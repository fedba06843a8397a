import CCurl
import Glibc

/// libcurl as a whole.
enum CurlLibrary {
    // A static is initialized once, whichever thread comes first, as curl_global_init demands.
    static let isReady: Bool = {
        // Told not to use signals, libcurl leaves SIGPIPE to us; a server that hangs up must not end the process.
        signal(SIGPIPE, SIG_IGN)
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()
}
