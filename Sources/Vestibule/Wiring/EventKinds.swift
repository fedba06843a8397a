extension SecurityEvent.Kind {
    /// Names of all that the database may hold, in alphabetical order: of those that the features
    /// declare, all but `passkey_refused`, which is only logged.
    package static let kept: [String] = [
        accountDeleted, accountDisabled, accountEnabled, accountInvited, accountVerified, accountsImported,
        clientSecretCreated, clientSecretRevoked, codeFailed, codeReplayed, consentEnded, consentGiven, emailChanged,
        emailChangeRequested, emailRestored, emailUndoLocked, entryRefused, exported, factorRemovalAsked,
        factorsRemoved, factorTakenBack, groupsChanged, identityLinked, identityUnlinked, login, loginFailed,
        loginNewDevice, logout, machineTokenCreated, machineTokenRevoked, mailLanguageChanged, passkeyAdded,
        passkeyBackupChanged, passkeyCounterBehind, passkeyRemoved, passkeySecondStep, passwordChanged,
        passwordRehashed, passwordReset, profileChanged, proofFailed, proved, providerEmailDisabled,
        providerEmailEnabled, recoveryCodesMade, recoveryCodeUsed, refreshReplayed, resetSent, secondStepBegun,
        secondStepFailed, sessionEnded, sessionRevoked, signingKeyAdded, signingKeysReplaced, signup, termsAccepted,
        tokenRefused, totpAdded, totpRemoved, trustEnded, verdictRefused,
    ].map(\.name).sorted()
}
