/// Which challenge a response says it answers. Nothing is verified: it only chooses the one to
/// verify with.
package enum ClientChallenge {
    /// Returns nil for what no browser sends.
    package static func bytes(of response: String) -> [UInt8]? {
        guard let response = try? ResponseJSON(Array(response.utf8)) else { return nil }
        return response.clientData.claimedChallenge
    }
}
