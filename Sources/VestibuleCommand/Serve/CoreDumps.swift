import Glibc

/// A core dump would hold keys and passwords.
enum CoreDumps {
    /// For this process and those it starts; best effort.
    static func forbid() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }
}
