import Bytes

/// Reads the hashes of other systems: modular-crypt texts, PHC strings and Django's form.
package enum ImportedHashes {
    /// The hash a stored text stands for. Throws why it is none that can be verified here.
    package static func read(_ stored: String) throws(ImportedHashRefusal) -> any ImportedHash {
        guard let text = HashText(stored) else { throw .unknownForm }
        switch text.scheme {
        case "$2a", "$2b", "$2y": return try CryptHash(bcrypt: text)
        case "$5", "$6": return try CryptHash(shaCrypt: text)
        case "$7": return try CryptHash(scrypt: text)
        case "$y": return try CryptHash(yescrypt: text)
        case "$scrypt": return try ScryptHash(phc: text)
        case "$pbkdf2", "$pbkdf2-sha256", "$pbkdf2-sha512": return try PBKDF2Hash(modular: text)
        case "$argon2i", "$argon2d", "$argon2id": return try Argon2Hash(phc: text)
        case "$fbscrypt": return try FirebaseHash(text)
        default: return try readDjango(text)
        }
    }

    /// Django's encoders (django.contrib.auth.hashers): the algorithm's name, then fields of its
    /// own or a whole hash.
    private static func readDjango(_ text: HashText) throws(ImportedHashRefusal) -> any ImportedHash {
        let rest = String(text.whole.after(text.scheme) ?? "")
        switch text.scheme {
        case "pbkdf2_sha1", "pbkdf2_sha256": return try PBKDF2Hash(django: text)
        case "scrypt": return try ScryptHash(django: text)
        case "argon2":
            guard let phc = HashText(rest) else { throw .malformed("Argon2") }
            return try Argon2Hash(phc: phc)
        case "bcrypt", "bcrypt_sha256":
            guard let bcrypt = rest.after("$").flatMap({ HashText(String($0)) }) else { throw .malformed("bcrypt") }
            return try CryptHash(bcrypt: bcrypt, phrase: text.scheme == "bcrypt" ? .first72Bytes : .hexSHA256)
        default: throw .unknownForm
        }
    }
}
