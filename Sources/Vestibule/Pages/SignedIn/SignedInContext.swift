import Essentials
import Hummingbird
import Serving

/// What is known about a request of somebody who is signed in.
struct SignedInContext: VisitorContext, ChildRequestContext {
    typealias ParentContext = AppContext

    var coreContext: CoreRequestContextStorage
    let peer: ClientAddress
    private(set) var visitor: Visitor
    let announcement: Announcement?
    private(set) var record: SessionRecord
    private(set) var factors: RequestFactors
    private var submitted: SubmittedForm?

    /// Throws `Refusal.signInNeeded`.
    init(context: AppContext) throws {
        guard let record = context.record else { throw Refusal.signInNeeded }
        coreContext = context.coreContext
        peer = context.peer
        visitor = context.visitor
        announcement = context.announcement
        self.record = record
        factors = RequestFactors(of: record.accountID)
        submitted = context.submitted
    }

    /// The same request after a proof that renewed the session, if one did, with the form that
    /// waited for it. Factors are read anew, as the proof may have used one up; `absent` is kept,
    /// so that a factor added meanwhile still makes the change `Superseded`.
    func going(on form: SubmittedForm, _ proved: RenewedSession?) -> SignedInContext {
        var context = self
        context.submitted = form
        if let proved {
            context.record = SessionRecord(session: proved.session, account: account, token: proved.token.digest)
            context.record.absent = record.absent
            context.visitor.sessionDigest = proved.token.digest
            context.factors = RequestFactors(of: account.id)
        }
        return context
    }

    /// The same request with the session as it is now: nothing of what was read before is kept but
    /// the form.
    func anew(_ record: SessionRecord) -> SignedInContext {
        var context = with(record)
        context.visitor.sessionDigest = record.token
        context.factors = RequestFactors(of: record.accountID)
        return context
    }

    func with(_ record: SessionRecord) -> SignedInContext {
        var context = self
        context.record = record
        return context
    }

    var session: Session { record.session }
    var account: Account { record.account }
    var locale: String { visitor.locale }

    /// The form that was sent. Throws `Refusals` for one that does not carry the token of this
    /// session, which is then shown again.
    func form() throws(Refusals) -> Form {
        try sent().checked()
    }

    /// The same of a form with passwords. Throws `Refusals` for one that waited for a proof, too:
    /// they are asked for again.
    func formWithPasswords() throws(Refusals) -> Form {
        let sent = try sent()
        guard !sent.lacksSecrets else { throw Refusals([.secretsNotKept]) }
        return try sent.checked()
    }

    /// The form that was sent, whatever token it carries. Throws `Refusals` when there is none.
    func sent() throws(Refusals) -> SubmittedForm {
        guard let submitted else { throw Refusals([.formStale]) }
        return submitted
    }

    /// What was typed into a field, to be shown again; nothing may be done with it.
    func typed(_ field: String) -> String {
        submitted?.form[field] ?? ""
    }
}
