extension AccountModel {
    /// Makes a key for an authenticator app, into `setup`.
    public func beginAuthenticator() async {
        await act { [self] in
            setup = try await service.beginAuthenticator(currentPassword: typedPassword)
            (setupPassword, code) = (typedPassword, "")
        }
    }

    /// Adds the app with a code that it shows.
    public func confirmAuthenticator() async {
        guard let setup else { return }
        let typed = Secret(code)
        await act { [self] in
            try await service.confirmAuthenticator(
                setup, code: typed, currentPassword: typedPassword ?? setupPassword)
            (self.setup, setupPassword, code) = (nil, nil, "")
            await finish(Sentences.appAdded)
        }
    }

    /// Removes the app.
    public func removeAuthenticator() async {
        await act { [self] in
            try await service.removeAuthenticator(currentPassword: typedPassword)
            await finish(Sentences.appRemoved)
        }
    }

    /// Makes ten recovery codes, into `recoveryCodes`.
    public func makeRecoveryCodes() async {
        await act { [self] in
            recoveryCodes = try await service.makeRecoveryCodes(currentPassword: typedPassword)
            await finish(nil)
        }
    }

    /// Forgets the recovery codes, once they were saved.
    public func forgetRecoveryCodes() {
        recoveryCodes = []
    }

    /// Asks what a new passkey is to be made for, into `newPasskey`.
    public func beginPasskey() async {
        await act { [self] in
            (newPasskey, passkeyPassword) = (nil, typedPassword)
            newPasskey = try await service.newPasskeyRequest(currentPassword: typedPassword)
        }
    }

    /// Adds a passkey that the system has made for `newPasskey`.
    public func addPasskey(_ credential: PasskeyCredential, name: String?) async {
        guard let newPasskey else { return }
        await act { [self] in
            try await service.addPasskey(
                credential, for: newPasskey, name: name, currentPassword: typedPassword ?? passkeyPassword)
            (self.newPasskey, passkeyPassword) = (nil, nil)
            await finish(Sentences.passkeyAdded)
        }
    }

    /// Names a passkey.
    public func rename(_ passkey: Passkey, to name: String) async {
        await act { [self] in
            try await service.renamePasskey(id: passkey.id, to: name, currentPassword: typedPassword)
            await finish(nil)
        }
    }

    /// Removes a passkey.
    public func remove(_ passkey: Passkey) async {
        await act { [self] in
            try await service.removePasskey(id: passkey.id, currentPassword: typedPassword)
            await finish(Sentences.passkeyRemoved)
        }
    }

    /// What was done stays done when the list cannot be read anew.
    private func finish(_ done: String?) async {
        notice = done
        factors = (try? await service.factors()) ?? factors
    }
}
