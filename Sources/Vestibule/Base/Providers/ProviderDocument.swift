import Foundation

/// A document of a provider's, fetched for many at once.
actor ProviderDocument<Content: Sendable> {
    private let http: OutboundHTTP
    private let read: @Sendable (OutboundAnswer) throws(ProviderFault) -> Content
    private(set) var latest: (content: Content, at: Date)?
    private(set) var triedAt: Date?
    private var running: Task<Content, any Error>?
    private var failed: (fault: ProviderFault, at: Date)?
    /// So long nobody waits again for a provider that does not answer.
    private static var failureKeptFor: TimeInterval { 5 }

    init(_ http: OutboundHTTP, read: @escaping @Sendable (OutboundAnswer) throws(ProviderFault) -> Content) {
        (self.http, self.read) = (http, read)
    }

    func fetch(_ url: String, now: Date) async throws(ProviderFault) -> Content {
        if let failed, abs(now.timeIntervalSince(failed.at)) < Self.failureKeptFor { throw failed.fault }
        let task = running ?? Task { [http, read] in try read(await http.send(OutboundRequest(url: url))) }
        running = task
        triedAt = now
        defer { running = nil }
        let start = ContinuousClock.now
        do {
            let content = try await task.value
            (latest, failed) = ((content, now), nil)
            return content
        } catch {
            let fault = error as? ProviderFault ?? .unreachable("\(error)")
            // One that hangs has failed only now.
            failed = (fault, now.addingTimeInterval(start.duration(to: .now) / .seconds(1)))
            throw fault
        }
    }
}
