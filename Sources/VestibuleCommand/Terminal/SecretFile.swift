import Essentials
import Foundation

/// A secret that a command is given: not on the command line, which every user of the machine sees.
enum SecretFile {
    /// What the file, or standard input for `-`, holds, without white space around it. Throws
    /// `CommandFailure` if that cannot be read or is not one line.
    static func read(_ path: String) throws -> String {
        let data =
            path.isExactly("-")
            ? try FileHandle.standardInput.readToEnd() ?? Data() : FileManager.default.contents(atPath: path)
        guard let text = data.flatMap({ String(bytes: $0, encoding: .utf8) }) else {
            throw CommandFailure("\(path) cannot be read", hint: "Is it there, and may this user read it?")
        }
        let secret = text.trimmingASCIIWhitespace
        guard !secret.isEmpty, secret.textLines.count == 1 else {
            throw CommandFailure("\(path) does not hold one line", hint: "Put the secret into it, and nothing else.")
        }
        return secret
    }
}
