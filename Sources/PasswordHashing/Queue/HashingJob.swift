/// One piece of hashing somebody waits for; exactly one of `run` and `fail` is called, once.
package struct HashingJob: Sendable {
    package typealias Announcement = @Sendable () -> Void

    package let id: UInt64
    /// Hashes. The caller goes on once the function it returns is called, which may be later.
    package let run: @Sendable () -> Announcement
    package let fail: @Sendable (any Error) -> Void

    package init(
        id: UInt64, run: @escaping @Sendable () -> Announcement, fail: @escaping @Sendable (any Error) -> Void
    ) {
        (self.id, self.run, self.fail) = (id, run, fail)
    }
}

/// There are as many hashes waiting as may wait; answered as 503 with `Retry-After`.
package struct HashingBusy: Error, Equatable {
    package let retryAfterSeconds: Int

    package init(retryAfterSeconds: Int) {
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// The hasher has been stopped, with this hash still waiting or asked for afterwards.
package struct HashingStopped: Error, Equatable {
    package init() {}
}
