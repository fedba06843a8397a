import Foundation

extension AccountModel {
    /// Asks for user, devices and factors.
    public func load() async {
        await send {
            user = try await service.user()
            devices = try await service.deviceSessions()
            factors = try await service.factors()
        }
    }

    /// Accepts the terms as they are now.
    public func acceptTerms() async {
        await send { try await service.acceptTerms() }
    }

    /// Saves the name.
    public func saveName() async {
        await act { [self] in
            user = try await service.rename(to: name)
            notice = Sentences.profileSaved
        }
    }

    /// Changes the password.
    public func changePassword() async {
        guard isRepeated(confirmation, of: password) else { return }
        await act { [self] in
            try await service.changePassword(to: Secret(password), currentPassword: Secret(currentPassword))
            (password, confirmation) = ("", confirmation.map { _ in "" })
            notice = Sentences.passwordReplaced
        }
    }

    /// Sends a code to the new address.
    public func requestEmailChange() async {
        await act { [self] in
            emailFlow = try await service.requestEmailChange(to: email, currentPassword: Secret(currentPassword))
            (awaitsEmailCode, code, notice) = (true, "", Sentences.codeSent)
        }
    }

    /// Sends another code to the new address.
    public func resendEmailCode() async {
        guard let emailFlow else { return }
        await act(waiting: resendWait) { [self] in
            try await service.resendEmailChangeCode(flow: emailFlow)
            notice = Sentences.codeSentAgain
        }
    }

    /// Changes the address with the code that was sent to it.
    public func submitEmailCode() async {
        guard let emailFlow else { return }
        let typed = Secret(code)
        await act { [self] in
            user = try await service.changeEmail(flow: emailFlow, code: typed)
            (self.emailFlow, awaitsEmailCode, email, code) = (nil, false, "", "")
            notice = Sentences.emailChanged
        }
    }

    /// Signs a device out.
    public func end(_ device: DeviceSession) async {
        await act { [self] in
            try await service.endSession(id: device.id, currentPassword: typedPassword)
            devices.removeAll { $0.id == device.id }
            notice = Sentences.sessionEnded
        }
    }

    /// Signs every other device out.
    public func endOthers() async {
        await act { [self] in
            try await service.endOtherSessions(currentPassword: typedPassword)
            devices.removeAll { !$0.isCurrent }
            notice = Sentences.sessionsEnded
        }
    }

    /// Asks for everything held about the account, into `exported`.
    public func export() async {
        await act { [self] in exported = try await service.export(currentPassword: typedPassword) }
    }

    /// Erases the account, once `deletionWord` is `delete`. Only `deletionWait` delays
    /// it, and `wait` once a proof is asked for.
    public func delete() async {
        guard deletionWord.utf8.elementsEqual("delete".utf8) else {
            return fieldErrors[.deletionWord] = Sentences.deletionWord
        }
        await act(waiting: deletionWait) { [self] in
            try await service.deleteAccount(currentPassword: Secret(currentPassword))
            isDeleted = true
        }
    }

    /// Signs out, whatever is under way or has to wait.
    public func signOut() async {
        await send(inAnyCase: true) { try await service.signOut() }
    }
}
