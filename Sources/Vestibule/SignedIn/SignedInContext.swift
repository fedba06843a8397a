package import Essentials
import Hummingbird
package import Serving

/// What is known about a request of somebody who is signed in.
package struct SignedInContext: VisitorContext, ChildRequestContext {
    package typealias ParentContext = AppContext

    var coreContext: CoreRequestContextStorage
    package let peer: IPAddress
    package let visitor: Visitor
    package let announcement: Announcement?
    /// The session, and whose it is.
    package let record: SessionRecord
    /// Opens the session.
    package let token: Token
    private let submitted: SubmittedForm?

    /// Throws `Refusal.signInNeeded`.
    package init(context: AppContext) throws {
        guard let signedIn = context.signedIn else { throw Refusal.signInNeeded }
        coreContext = context.coreContext
        peer = context.peer
        visitor = context.visitor
        announcement = context.announcement
        record = signedIn.record
        token = signedIn.token
        submitted = context.submitted
    }

    package var session: Session { record.session }
    package var account: Account { record.account }
    package var locale: String { visitor.locale }

    /// The form that was sent. Throws `Refusals` for one that does not carry the token of this
    /// session, which is then shown again.
    func form() throws(Refusals) -> Form {
        try sent().checked()
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
