import Serving

extension Notice {
    static let passwordReplaced = Notice("password_replaced", .saved)
}
