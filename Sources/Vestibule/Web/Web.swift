/// What every feature's routes use to answer.
package struct Web: Sendable {
    let pages: Pages
    let cookies: Cookies
    let guardian: SignedInGuard
    let returnTo: ReturnTo
}
