package import Essentials

extension EmailAddress: ExpressibleByStringInterpolation {
    /// Tests write addresses as text. One that is none is taken as it is.
    package init(stringLiteral text: String) {
        self = EmailAddress(text) ?? EmailAddress(stored: text, key: text)
    }
}
