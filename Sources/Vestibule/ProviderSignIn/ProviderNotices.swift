import Serving

extension Notice {
    static let providerFailed = Notice("provider_failed", .problem)
    static let identityAdded = Notice("identity_added", .saved)
    static let identityElsewhere = Notice("identity_elsewhere", .problem)
    static let signedInAlready = Notice("signed_in_already", .note)
}
