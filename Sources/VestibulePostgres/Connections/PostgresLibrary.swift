import CLibPQ

/// libpq, loaded when first asked for.
enum PostgresLibrary {
    /// Whether it could be loaded and is version 14 or newer.
    static let isReady = vestibule_pq_load()
}
