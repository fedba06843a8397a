#if os(iOS) || os(macOS) || os(visionOS)
    public import AuthenticationServices
    import Foundation

    extension PasskeyRequest {
        /// The request for `ASAuthorizationController`: for a passkey that is to sign.
        public var assertionRequest: ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
            let request = provider.createCredentialAssertionRequest(challenge: challenge)
            request.allowedCredentials = descriptors(allowed)
            request.userVerificationPreference = verificationPreference
            return request
        }

        /// The request for `ASAuthorizationController`: for a new passkey; nil if one is to sign.
        public var registrationRequest: ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest? {
            guard let owner else { return nil }
            let request = provider.createCredentialRegistrationRequest(
                challenge: challenge, name: owner.name, userID: owner.id)
            request.userVerificationPreference = verificationPreference
            #if !os(visionOS)
                if #available(iOS 17.4, macOS 14.4, *) { request.excludedCredentials = descriptors(excluded) }
            #endif
            return request
        }

        private func descriptors(_ ids: [Data]) -> [ASAuthorizationPlatformPublicKeyCredentialDescriptor] {
            ids.map { ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: $0) }
        }

        private var verificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference {
            switch userVerification {
            case "required": .required
            case "discouraged": .discouraged
            default: .preferred
            }
        }

        private var provider: ASAuthorizationPlatformPublicKeyCredentialProvider {
            ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: relyingParty)
        }
    }

    extension PasskeyCredential {
        /// What the system hands over after a passkey has signed.
        public init(_ credential: ASAuthorizationPlatformPublicKeyCredentialAssertion) {
            self.init(
                id: credential.credentialID, clientDataJSON: credential.rawClientDataJSON,
                authenticatorData: credential.rawAuthenticatorData, signature: credential.signature,
                userHandle: credential.userID)
        }

        /// What the system hands over after it has made a passkey; nil without an attestation
        /// object.
        public init?(_ credential: ASAuthorizationPlatformPublicKeyCredentialRegistration) {
            guard let object = credential.rawAttestationObject else { return nil }
            self.init(
                id: credential.credentialID, clientDataJSON: credential.rawClientDataJSON, attestationObject: object)
        }
    }

    extension ProviderCredential {
        /// What the system hands over; nil without an identity token. `nonce`: from
        /// `providerNonce`.
        public init?(_ credential: ASAuthorizationAppleIDCredential, nonce: Secret) {
            func text(_ data: Data?) -> Secret? { data.map { Secret(String(decoding: $0, as: UTF8.self)) } }
            guard let token = text(credential.identityToken) else { return nil }
            self.init(
                identityToken: token, nonce: nonce, authorizationCode: text(credential.authorizationCode),
                firstName: credential.fullName?.givenName, lastName: credential.fullName?.familyName)
        }
    }
#endif
