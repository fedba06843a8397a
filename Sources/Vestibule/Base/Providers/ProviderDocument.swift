import Foundation

/// A document of a provider's, fetched for many at once.
actor ProviderDocument<Content: Sendable> {
    private let http: OutboundHTTP
    private let passed: @Sendable () -> Duration
    private let read: @Sendable (OutboundAnswer) throws(ProviderFault) -> Content
    private(set) var latest: (content: Content, at: Date)?
    private(set) var triedAt: Date?
    private var running: Task<Content, any Error>?
    private var failed: (fault: ProviderFault, at: Duration)?
    /// How long a failure is thrown again before the provider is asked anew; longer where an older
    /// document can serve.
    private var failureKeptFor: Duration { latest == nil ? .seconds(5) : .seconds(60) }

    /// `passed` is monotonic time since an arbitrary start: the `now` of a request stands still
    /// while it waits.
    init(
        _ http: OutboundHTTP, passed: @escaping @Sendable () -> Duration,
        read: @escaping @Sendable (OutboundAnswer) throws(ProviderFault) -> Content
    ) {
        (self.http, self.passed, self.read) = (http, passed, read)
    }

    func fetch(_ url: String, now: Date) async throws(ProviderFault) -> Content {
        if let failed, passed() - failed.at < failureKeptFor { throw failed.fault }
        let task = running ?? Task { [http, read] in try read(await http.send(OutboundRequest(url: url))) }
        running = task
        triedAt = now
        // Another call may have begun the next one meanwhile.
        defer { if running == task { running = nil } }
        do {
            let content = try await task.value
            (latest, failed) = ((content, now), nil)
            return content
        } catch {
            let fault = error as? ProviderFault ?? .unreachable("\(error)")
            failed = (fault, passed())
            throw fault
        }
    }
}
