package import Essentials
package import Foundation

/// The store's part of machine tokens.
package protocol MachineTokenStore: Sendable {
    func addMachineToken(_ token: MachineToken, digest: TokenDigest, event: SecurityEvent) async throws
    /// Returns nil if it is unknown or revoked. It may have expired.
    func machineToken(_ digest: TokenDigest) async throws -> MachineToken?
    /// Of one application or of all, expired ones included, newest first.
    func machineTokens(application: String?) async throws -> [MachineToken]
    /// Notes that a token was used. Need not survive a power cut.
    func touchMachineToken(id: String, at now: Date) async throws
    /// Returns false, and keeps no event, if there is no such token.
    func revokeMachineToken(id: String, event: SecurityEvent) async throws -> Bool
}
