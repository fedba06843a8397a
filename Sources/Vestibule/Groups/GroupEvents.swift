extension SecurityEvent.Kind {
    static let groupsChanged = Self("groups_changed", log: "authz_change")
}
