import Serving

extension Notice {
    static let confirmed = Notice("confirmed", .done)
}
