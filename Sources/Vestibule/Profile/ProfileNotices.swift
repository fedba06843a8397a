import Serving

extension Notice {
    static let profileSaved = Notice("profile_saved", .saved)
}
