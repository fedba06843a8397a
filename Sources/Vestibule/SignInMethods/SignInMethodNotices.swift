import Serving

extension Notice {
    static let identityRemoved = Notice("identity_removed", .saved)
    static let lastWay = Notice("last_way", .problem)
}
