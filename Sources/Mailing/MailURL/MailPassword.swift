import Essentials

/// The password of the mail server: compared and handed to libcurl, never printed.
package struct MailPassword: Secret, Sendable, Equatable {
    let value: String

    package init(_ value: String) {
        self.value = value
    }
}
