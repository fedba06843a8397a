extension SecurityEvent.Kind {
    static let machineTokenCreated = Self("machine_token_created", log: "authn_token_created")
    static let machineTokenRevoked = Self("machine_token_revoked", log: "authn_token_revoked")
}
