/// An identity with what lets us end it at the provider, sealed.
package struct LinkedIdentity: Sendable, Equatable {
    package let identity: Identity
    package let refreshToken: [UInt8]?

    package init(identity: Identity, refreshToken: [UInt8]?) {
        self.identity = identity
        self.refreshToken = refreshToken
    }
}
