import CFido2

/// libfido2 as a whole, loaded when first asked for.
public enum FidoLibrary {
    /// It is not installed, or too old.
    public struct Missing: Error {}

    /// False when it is missing.
    // A static is initialized once, whichever thread comes first.
    static let isReady = vestibule_fido_load()

    static func load() throws(Missing) {
        guard isReady else { throw Missing() }
    }
}
