import ArgumentParser

/// `vestibule users`
struct Users: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See and change accounts. No command sets or reads a password.",
        subcommands: [
            ListUsers.self, ShowUser.self, CreateUser.self, SendReset.self, DisableUser.self, EnableUser.self,
            VerifyUser.self, GroupsOfUser.self, ResetFactors.self, DeleteUser.self, UsersImport.self,
        ]
    )
}
