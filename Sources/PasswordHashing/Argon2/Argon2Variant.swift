import CArgon2

extension Argon2 {
    /// Which of the Argon2 functions (RFC 9106), and of which version: 19 is the standard's, 16
    /// came before it.
    package struct Variant: Sendable, Equatable {
        let type: Argon2_type
        let version: UInt32

        /// What Vestibule makes.
        static let today = Variant(type: Argon2_id, version: ARGON2_VERSION_13.rawValue)

        private init(type: Argon2_type, version: UInt32) {
            (self.type, self.version) = (type, version)
        }

        package static func == (one: Variant, other: Variant) -> Bool {
            (one.type.rawValue, one.version) == (other.type.rawValue, other.version)
        }

        /// By the name in a PHC string, such as `$argon2id`. Returns nil if name or version is
        /// unknown.
        init?(name: String, version: Int) {
            let types = ["$argon2d": Argon2_d, "$argon2i": Argon2_i, "$argon2id": Argon2_id]
            guard let type = types[name], version == 16 || version == 19 else { return nil }
            self.init(type: type, version: UInt32(version))
        }
    }
}
