import Essentials

/// The settings that former versions had and this one has not.
enum FormerSetting {
    /// What to do about each, by its name: which setting replaces it, or that it may be deleted.
    private static let hints: KeyValuePairs = [
        // None has gone since the first release; tests look at this one.
        "VESTIBULE_FORMER_EXAMPLE": "VESTIBULE_LOG_LEVEL replaces it: write that name."
    ]

    /// What to do about a setting that a former version had. Returns nil for every other name.
    static func hint(for name: String) -> String? {
        hints.first { $0.key.isExactly(name) }?.value
    }
}
