import Essentials

/// Mails as files: one `.eml` (RFC 5322) each, in a folder only its owner can read.
package struct FileTransport: MailTransport {
    private let folder: MailFolder

    /// A relative path starts at the working directory; the folder is made when first needed, with
    /// mode 0700.
    package init(path: String) {
        folder = MailFolder(path: path)
    }

    /// Writes the mail whole or not at all; the same mail sent twice is one file.
    package func send(_ message: MailMessage) async throws(MailFailure) {
        try await MailThreads.run { () throws(MailFailure) in
            let name = "\(MessageDate.fileName(message.date))-\(message.idWord).eml"
            try folder.make()
            try folder.write(message.encoded, to: name)
        }
    }

    /// Makes the folder if need be, and a file in it.
    package func check() async throws(MailFailure) {
        try await MailThreads.run { () throws(MailFailure) in
            try folder.make()
            try folder.write([], to: ".check")
            folder.remove(".check")
        }
    }

    /// The newest mails first; empty when there is no folder yet.
    package func recent(limit: Int) async throws(MailFailure) -> [StoredMail] {
        try await MailThreads.run { () throws(MailFailure) in
            let names = folder.names().filter { $0.ends(with: ".eml") }.sorted(by: >)
            return names.lazy.compactMap { StoredMail(file: $0, bytes: folder.read($0)) }.prefix(limit).map { $0 }
        }
    }

    /// The mail in that file; nil when the folder has no such file, or it holds no mail.
    package func mail(file: String) async throws(MailFailure) -> StoredMail? {
        try await MailThreads.run { () throws(MailFailure) in
            let name = folder.names().first { $0.isExactly(file) && $0.ends(with: ".eml") }
            return name.flatMap { StoredMail(file: $0, bytes: folder.read($0)) }
        }
    }
}
