import ArgumentParser

/// `vestibule upgrade-check`
struct UpgradeCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade-check",
        abstract: "Say whether settings, templates, languages and database fit this version, before it is started.",
        discussion: """
            Run the new program in the folder of the server, which may go on serving with the old one. A migration of \
            SQLite is tried on a copy beside the database, which is deleted. Nothing else is changed. Exit 0: it fits. \
            `doctor` does this too.
            """
    )

    @OptionGroup var options: CommonOptions

    func run() async throws {
        let settings = try options.settings()
        var report = DoctorReport()
        report.noteSettings(settings)
        report.checkPlace(settings, isFailure: true)
        report.checkResources(settings)
        report.checkOverriddenTemplates(settings)
        report.checkLanguages()
        await report.checkSchema(settings)
        guard report.failures == 0 else {
            throw CommandFailure(
                "\(report.failures) check(s) failed: this installation does not fit version \(ProgramVersion.current)",
                hint: "Each is named above. Let the version that serves go on until they are mended.")
        }
    }
}
