import Essentials

extension Scopes {
    /// What a client with these scopes learns of somebody (OpenID Connect Core section 5.1), in ID
    /// tokens and at userinfo.
    func claims(of account: Account) -> [(String, any Encodable)] {
        var claims: [(String, any Encodable)] = []
        if contains(.profile) { claims += [("name", account.displayName), ("locale", account.locale)] }
        if contains(.email) {
            claims += [("email", account.email.ascii), ("email_verified", account.verifiedAt != nil)]
        }
        // Nobody has a name for signing in but the address, which `email` shows anyway.
        if contains(.profile), contains(.email) { claims.append(("preferred_username", account.email.ascii)) }
        if contains(.groups) { claims.append(("groups", account.groups)) }
        return claims
    }
}

extension Session.Proof {
    /// Authentication context class: two factors, or one.
    var contextClass: String { secondFactor != nil ? "2" : "1" }
}
