/// One piece of hashing somebody waits for; exactly one of `run` and `fail` is called, once.
struct HashingJob: Sendable {
    typealias Announcement = @Sendable () -> Void

    let id: UInt64
    /// Hashes. The caller goes on once the function it returns is called, which may be later.
    let run: @Sendable () -> Announcement
    let fail: @Sendable (any Error) -> Void
}

/// There are as many hashes waiting as may wait; answered as 503 with `Retry-After`.
public struct HashingBusy: Error, Equatable {
    /// When the hashes that wait now are expected to be done.
    public let retryAfterSeconds: Int
}

/// The hasher has been stopped, with this hash still waiting or asked for afterwards.
public struct HashingStopped: Error, Equatable {}
