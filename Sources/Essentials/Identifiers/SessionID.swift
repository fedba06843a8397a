/// Names a session, on pages and in commands.
package struct SessionID: Identifier {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}
