package import Essentials

// Tests write ids as text.
extension AccountID: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) {
        self.init(rawValue: text)
    }
}

extension SessionID: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) {
        self.init(rawValue: text)
    }
}
