import Serving

extension Notice {
    static let factorTakenBack = Notice("factor_taken_back", .done)
    static let factorUndoGone = Notice("factor_undo_gone", .problem)
}

extension LinkKind {
    static let factorUndo = LinkKind(name: "factor", page: "/account/security/undo")
}
