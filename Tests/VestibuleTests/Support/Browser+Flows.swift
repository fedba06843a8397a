import HTTPTypes

@testable import Serving

/// What people do.
extension Browser {
    static func signupFields(email: String, password: String = goodPassword) -> [String: String] {
        [
            "display_name": "Ada Lovelace", "email": email, "password": password, "password_confirmation": password,
            "terms": "accepted",
        ]
    }

    @discardableResult
    func signUp(email: String, password: String = goodPassword) async throws -> Page {
        try await post("/signup", Self.signupFields(email: email, password: password))
    }

    @discardableResult
    func type(code: String) async throws -> Page {
        try await post("/signup/verify", ["code": code])
    }

    @discardableResult
    func logIn(
        email: String, password: String = goodPassword, remember: Bool = false, returnTo: String? = nil
    ) async throws -> Page {
        var fields = ["email": email, "password": password]
        if remember { fields["remember"] = "on" }
        fields["return_to"] = returnTo
        return try await post("/login", fields)
    }

    @discardableResult
    func logOut() async throws -> Page {
        let csrf = try await get("/account").csrf
        return try await post("/logout", ["csrf": csrf ?? ""])
    }

    /// Asks to change the address.
    @discardableResult
    func askForEmail(_ email: String, password: String = goodPassword) async throws -> Page {
        let csrf = try await get("/account/email").csrf ?? ""
        return try await post("/account/email", ["csrf": csrf, "email": email, "current_password": password])
    }

    @discardableResult
    func typeEmail(code: String) async throws -> Page {
        let csrf = try await get("/account").csrf ?? ""
        return try await post("/account/email/verify", ["csrf": csrf, "code": code])
    }

    @discardableResult
    func resendEmailCode() async throws -> Page {
        let csrf = try await get("/account").csrf ?? ""
        return try await post("/account/email/resend", ["csrf": csrf])
    }

    /// Opens a link from a mail and goes on to the page without the token.
    func open(_ link: String) async throws -> Page {
        let moved = try await get(link)
        guard moved.status == .seeOther, let page = moved.location, link.contains("\(page)?") else { return moved }
        return try await get(page)
    }

    /// Has a code sent to the former mailbox, after the link from its mail was opened.
    @discardableResult
    func askForUndoCode() async throws -> Page {
        try await post("/account/email/undo", [:])
    }

    @discardableResult
    func undoEmail(code: String, password: String) async throws -> Page {
        try await post(
            "/account/email/undo/verify",
            ["code": code, "password": password, "password_confirmation": password])
    }

    /// Whether the account page opens.
    func isSignedIn() async throws -> Bool {
        try await get("/account").status == .ok
    }
}
