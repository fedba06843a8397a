import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

extension Engine {
    /// With an account `a` that has an app, two recovery codes and a passkey.
    func openWithFactors() async throws -> any Store {
        let store = try await open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        try await store.setKey(Make.totp(), Make.change())
        try await store.setRecoveryCodes(Make.codes(Make.key32(1), Make.key32(2)), Make.change())
        _ = try await store.addPasskey(
            Make.passkey("p"), userHandle: [UInt8](repeating: 1, count: 64), once: [Make.once(1)], Make.change())
        return store
    }
}
