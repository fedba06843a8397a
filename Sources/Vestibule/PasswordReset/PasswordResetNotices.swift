import Serving

extension Notice {
    static let passwordChanged = Notice("password_changed", .saved)
    static let choosePassword = Notice("choose_password", .note)
}
