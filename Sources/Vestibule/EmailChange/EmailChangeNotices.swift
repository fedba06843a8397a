import Serving

extension Notice {
    static let emailChanged = Notice("email_changed", .saved)
    static let emailFlowExpired = Notice("email_flow_expired", .problem)
    static let emailRestored = Notice("email_restored", .saved)
    static let undoGone = Notice("undo_gone", .problem)
    static let undoTaken = Notice("undo_taken", .problem)
}

extension LinkKind {
    static let emailUndo = LinkKind(name: "undo", page: "/account/email/undo")
}
