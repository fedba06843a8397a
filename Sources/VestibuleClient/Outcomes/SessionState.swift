/// Whether somebody is signed in.
public enum SessionState: Sendable, Hashable {
    /// A token was kept by an earlier run; `restore` asks whose it is.
    case unknown
    /// Nobody is signed in.
    case signedOut
    /// The server has ended the session.
    case ended
    /// Somebody is signed in, but has to accept new terms first.
    case termsWanted(User)
    /// Somebody is signed in.
    case signedIn(User)

    /// Who is signed in, terms or not.
    public var user: User? {
        switch self {
        case .unknown, .signedOut, .ended: nil
        case .termsWanted(let user), .signedIn(let user): user
        }
    }
}
