import Bytes

/// The forms of crypt(5) that are taken, each in its canonical spelling.
extension CryptHash {
    /// `$2b$12$` and 53 characters; `$2a$` and `$2y$` alike.
    init(bcrypt text: HashText, phrase: Phrase = .first72Bytes) throws(ImportedHashRefusal) {
        let (fields, bounds) = (text.fields, ImportedHashBounds.bcryptCost)
        guard ["$2a", "$2b", "$2y"].contains(text.scheme), fields.count == 4, fields[2].utf8.count == 2,
            fields[2].utf8.allSatisfy(\.isASCIIDigit), let cost = Int(fields[2]),
            Self.isCryptText(fields[3], length: 53...53), Self.hasNoStrayBits(fields[3])
        else { throw .malformed("bcrypt") }
        guard bounds.contains(cost) else {
            throw .outOfBounds("bcrypt", allowed: "cost \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        self.init(checked: text.whole, phrase: phrase)
    }

    /// `$5$salt$hash` or `$6$rounds=10000$salt$hash`.
    init(shaCrypt text: HashText) throws(ImportedHashRefusal) {
        let hasRounds = text.fields.dropFirst(2).first?.begins(with: "rounds=") == true
        let fields = text.fields.dropFirst(hasRounds ? 3 : 2)
        let length = text.scheme == "$5" ? 43 : 86
        guard fields.count == 2, let salt = fields.first, Self.isCryptText(salt, length: 1...16),
            let tag = fields.last, Self.isCryptText(tag, length: length...length)
        else { throw .malformed("SHA-crypt") }
        if hasRounds {
            guard let rounds = HashText.numbers(text.fields[2], "rounds")?.first else { throw .malformed("SHA-crypt") }
            let bounds = ImportedHashBounds.shaCryptRounds
            guard bounds.contains(rounds) else {
                throw .outOfBounds("SHA-crypt", allowed: "\(bounds.lowerBound) to \(bounds.upperBound) rounds")
            }
        }
        self.init(checked: text.whole)
    }

    /// `$7$`, one character of cost, five of block size, five of lanes, a salt and `$hash`.
    init(scrypt text: HashText) throws(ImportedHashRefusal) {
        let fields = text.fields
        guard fields.count == 4, Self.isCryptText(fields[2], length: 12...75),
            Self.isCryptText(fields[3], length: 43...43)
        else { throw .malformed("scrypt") }
        let digits = fields[2].utf8.prefix(11).compactMap(Self.value)
        let parameters = ScryptParameters(
            log2Cost: digits[0], blockSize: Self.number(digits[1...5]), lanes: Self.number(digits[6...10])
        )
        try parameters.check()
        self.init(checked: text.whole)
    }

    /// `$y$j9T$salt$hash`: the costs libxcrypt itself gives out, up to 256 MiB.
    init(yescrypt text: HashText) throws(ImportedHashRefusal) {
        let fields = text.fields
        guard fields.count == 5, Self.isCryptText(fields[3], length: 1...86),
            Self.isCryptText(fields[4], length: 43...43)
        else { throw .malformed("yescrypt") }
        guard ["j75", "j85", "j7T", "j8T", "j9T", "jAT", "jBT", "jCT", "jDT"].contains(fields[2]) else {
            throw .outOfBounds("yescrypt", allowed: "the costs 1 to 9 of crypt_gensalt")
        }
        self.init(checked: text.whole)
    }
}
