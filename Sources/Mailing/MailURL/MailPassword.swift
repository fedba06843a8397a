/// The password of the mail server: compared and handed to libcurl, never printed.
package struct MailPassword: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let value: String

    package init(_ value: String) {
        self.value = value
    }

    package var description: String { "(secret)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
