import Essentials
import Foundation
import NIOPosix
import Synchronization

/// Calls to one provider through libcurl, on threads of its own: one that hangs holds up no page
/// and no other provider.
///
/// Encrypted only, except to the plain origins of a development set-up. No redirects, no proxies
/// from the environment.
final class OutboundHTTP: Sendable {
    private enum Phase { case made, started, stopped }

    private let plainOrigins: Set<Origin>
    private let pool: NIOThreadPool
    private let phase = Mutex(Phase.made)
    private let underWay = Mutex(0)
    /// Calls that may run or wait; those beyond fail at once.
    private static let callsAtMost = 128
    /// Longest wait for a thread, so that one who is behind a call that hangs gets an answer when
    /// it ends.
    private static let patience: Duration = .seconds(5)

    /// `threads`: how many calls run at a time; each waits for the provider most of the time.
    init(plainOrigins: Set<Origin>, threads: Int = 2) {
        self.plainOrigins = plainOrigins
        pool = NIOThreadPool(numberOfThreads: threads)
    }

    /// Starts the threads, with a server's others: there may be none left at its first call, and
    /// NIO ends the program then.
    func start() {
        phase.withLock { phase in
            guard phase == .made else { return }
            phase = .started
            pool.start()
        }
    }

    /// One call. Throws `ProviderFault.unreachable` when there is no complete answer in time.
    func send(_ request: OutboundRequest) async throws(ProviderFault) -> OutboundAnswer {
        guard let origin = Origin(ofURL: request.url), origin.isSecure || plainOrigins.contains(origin) else {
            throw .unreachable("not an https URL")
        }
        guard enter() else { throw .unreachable("too many calls are waiting") }
        defer { leave() }
        start()
        let outcome: Result<OutboundAnswer, ProviderFault>
        do {
            let queuedAt = ContinuousClock.now
            outcome = try await pool.runIfActive {
                Result { () throws(ProviderFault) in
                    guard .now - queuedAt < Self.patience else { throw .unreachable("behind calls that hang") }
                    return try CurlHTTP().send(request)
                }
            }
        } catch {
            throw .unreachable("stopped before the call")
        }
        return try outcome.get()
    }

    func stop() {
        phase.withLock { $0 = .stopped }
        pool.shutdownGracefully { _ in }
    }

    private func enter() -> Bool {
        underWay.withLock { count in
            guard count < Self.callsAtMost else { return false }
            count += 1
            return true
        }
    }

    private func leave() {
        underWay.withLock { $0 -= 1 }
    }
}

/// A GET, or with `form` or `json` a POST.
struct OutboundRequest: Sendable {
    let url: String
    var form: [String: String]?
    var json: String?
    /// Lines such as `Name: value`.
    var headers: [String] = []
    /// Where the URL may lead once its name was looked up.
    var addresses = AddressPolicy.any
    /// Bytes of the answer's body that are read; what follows is no fault. Nil: all, and beyond 1
    /// MiB it is one.
    var readsAtMost: Int?
    /// A scheme and what it takes, such as `Bearer a`.
    var authorization: String?
}

/// What came back, at most 1 MiB.
struct OutboundAnswer: Sendable {
    let status: Int
    let body: [UInt8]

    /// What its JSON says, with names in snake case. Returns nil for what is not readable.
    func decoded<Content: Decodable>() -> Content? {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try? decoder.decode(Content.self, from: Data(body))
    }
}

/// Why a sign-in through a provider did not work out; for the log, never for the visitor.
enum ProviderFault: Error, Sendable, Equatable {
    /// No answer, or none that can be used.
    case unreachable(String)
    /// An answer or a request that must not be believed.
    case rejected(String)

    /// The provider let the person in by a sign-in that was too old.
    static let notAskedAgain = ProviderFault.rejected("signed in there too long ago")
    /// The provider does not say when the person signed in, where that has to be known.
    static let notDated = ProviderFault.rejected("no auth_time")

    /// The OAuth error code as the end of a reason, `: code`. Empty unless it is 1 to 64 bytes of
    /// visible ASCII.
    static func code(_ error: String?) -> String {
        guard let error, (1...64).contains(error.utf8.count), error.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return "" }
        return ": \(error)"
    }

    var reason: String {
        switch self {
        case .unreachable(let reason), .rejected(let reason): reason
        }
    }
}
