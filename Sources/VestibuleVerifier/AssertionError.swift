/// Why an assertion was not accepted. The sentences are for logs; nothing of the assertion is in
/// them.
public enum AssertionError: Error, Sendable, Equatable {
    /// The assertion is not good: answer 401.
    case refused(String)
    /// The keys of the sign-in cannot be read, so nothing is known: answer 503.
    case keysUnavailable(String)
}
