public import Observation

/// What is typed once: carried between sign-in, sign-up and reset, whose models share it.
@MainActor @Observable public final class CarriedFields {
    /// The email address.
    public var email = ""
    /// What the person wants to be called.
    public var name = ""

    /// Nothing typed yet.
    public init() {}

    /// Forgets it: when somebody is back at the choice of the welcome view.
    public func forget() {
        (email, name) = ("", "")
    }
}
