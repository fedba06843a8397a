package import PasswordHashing

/// Why a line of an import is not taken.
package enum ImportRefusal: Error, Sendable, Equatable {
    case lineTooLong
    case notUTF8
    case notJSON
    case unknownKey(String)
    case repeatedKey(String)
    case wrongType(key: String, wanted: String)
    case addressMissing
    case addressInvalid
    case nameInvalid(Refusal)
    case hash(ImportedHashRefusal)
    /// The hash is Firebase's as exported, and nobody said what project it is of.
    case projectMissing
    case totpInvalid
    case recoveryCodesInvalid
    /// Recovery codes stand in for an app, and the line has none.
    case recoveryCodesAlone
    /// A second factor rests sealed, and there is no secret key.
    case secretKeyMissing
    /// The secret key is there and of no use, for that reason.
    case secretKeyUnusable(String)
    /// There is a secret key, and it does not open what the text says.
    case secretKeyOther(String)
    /// The same mailbox stands in an earlier line.
    case repeated(line: Int)
    /// There is an account of that address.
    case taken

    private static let otherForms =
        " (docs/operating/importing.md lists the known ones); "
        + "leave hash out, and the owner sets a password with \"Forgot password?\""

    /// For the operator, in English; holds no address, name or hash, but keys as they stand in the
    /// file.
    package var reason: String {
        switch self {
        case .lineTooLong: "longer than \(LineSplitter.maximumBytes >> 10) KiB"
        case .notUTF8: "not UTF-8"
        case .notJSON: "not a JSON object"
        case .unknownKey(let key): "unknown key \"\(String(key.unicodeScalars.prefix(40)))\""
        case .repeatedKey(let key): "the key \"\(String(key.unicodeScalars.prefix(40)))\" stands twice"
        case .wrongType(let key, let wanted): "\(key) is not \(wanted)"
        case .addressMissing: "address is missing"
        case .addressInvalid: "address is not an e-mail address"
        case .nameInvalid(.displayNameMissing): "name is empty"
        case .nameInvalid(.displayNameTooLong): "name is longer than 64 characters"
        case .nameInvalid: "name holds characters that cannot be shown"
        case .hash(let refusal):
            "hash is not taken: \(refusal.reason)"
                + (refusal == .unknownForm ? Self.otherForms : "")
        case .projectMissing: "hash is of a Firebase project whose parameters were not given"
        case .totpInvalid: "totp is not a base32 key of 10 to 64 bytes"
        case .recoveryCodesInvalid:
            "recovery_codes are not 1 to 20 different codes of 8 to 24 letters and digits (hashes are not taken)"
        case .recoveryCodesAlone: "recovery_codes stand without totp"
        case .secretKeyMissing:
            "has a second factor, and there is no secret key to seal it with: run this in the server's folder, or with "
                + "its VESTIBULE_SECRET_KEY"
        case .secretKeyUnusable(let why): "has a second factor, and \(why)"
        case .secretKeyOther(let unopened):
            "has a second factor, and \(unopened): run this with the server's VESTIBULE_SECRET_KEY (`vestibule doctor` "
                + "tells more)"
        case .repeated(let line): "the same address as line \(line)"
        case .taken: "there is an account of this address already"
        }
    }
}
