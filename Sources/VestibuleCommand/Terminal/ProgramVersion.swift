import CVersion

/// The version that `--version`, the log, `/readyz` and the list of nodes tell.
enum ProgramVersion {
    /// That of the release (semver), or `development` where nobody has made one of this program.
    static let current = String(cString: vestibule_version())
}
