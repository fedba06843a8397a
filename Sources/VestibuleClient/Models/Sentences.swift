/// What the models say by themselves: the sentences of the pages. All others come with a refusal.
enum Sentences {
    static let codeSent = "If that address can be used, we have sent a code to it."
    static let codeSentAgain =
        "If that address can be used, we have sent another code to it. The earlier one no longer works."
    static let passwordChanged = "Your password has been saved. Sign in with it."
    static let passwordReplaced = "Your password has been changed, and every other browser has been signed out."
    static let emailChanged = "Your email address has been changed."
    static let profileSaved = "Your name has been saved."
    static let sessionEnded = "The other browser has been signed out."
    static let sessionsEnded = "Every other browser has been signed out."
    static let appAdded = "The app has been added."
    static let appRemoved = "The app has been removed."
    static let passkeyAdded = "Passkey added."
    static let passkeyRemoved = "Passkey removed."
    static let deletionWord = "Type the word “delete” to confirm."
}
