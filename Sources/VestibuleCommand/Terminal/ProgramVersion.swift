/// The version that `--version`, the log, `/readyz` and the list of nodes tell.
enum ProgramVersion {
    static let current = "0.1.0"
}
