/// The store's part of sign-ins by native apps.
package protocol NativeSignInStore: Sendable {
    /// Keeps a newer refresh token, sealed. Returns false when there is no such identity any more.
    func keepRefreshToken(_ sealed: [UInt8], issuer: String, subject: String) async throws -> Bool
}
