import Serving

extension Notice {
    static let accountDeleted = Notice("account_deleted", .done)
}
