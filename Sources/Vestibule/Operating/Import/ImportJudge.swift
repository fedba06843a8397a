package import Essentials
package import Foundation
package import PasswordHashing

/// What is taken from a line, and what is not.
package struct ImportJudge: Sendable {
    private let now: Date
    private let locale: String
    private let random: Randomness
    private let project: FirebaseProject?
    private let key: Result<SecretKey, ImportRefusal>

    /// `project` is the one that hashes exported from Firebase are of; `key` seals second factors,
    /// or is why lines that have one are refused.
    package init(
        now: Date, locale: String, random: Randomness, project: FirebaseProject?,
        key: Result<SecretKey, ImportRefusal> = .failure(.secretKeyMissing)
    ) {
        self.key = key
        (self.now, self.locale, self.random, self.project) = (now, locale, random, project)
    }

    /// The account a line stands for; `nil` for an empty line.
    func judge(_ line: LineSplitter.Line) throws(ImportRefusal) -> StagedAccount? {
        guard let bytes = line.bytes else { throw .lineTooLong }
        guard !bytes.allSatisfy({ $0 == UInt8(ascii: " ") || (0x09...0x0D).contains($0) }) else { return nil }
        let fields = try ImportLine(bytes)
        guard let address = fields.address else { throw .addressMissing }
        guard let email = EmailAddress(address) else { throw .addressInvalid }
        let account = Account(
            id: AccountID(from: random), email: email, displayName: try name(fields.name, email), createdAt: now,
            verifiedAt: fields.verified == true ? now : nil, locale: locale, termsVersion: nil
        )
        return StagedAccount(
            line: line.number, account: account, passwordHash: try fields.hash.map(hash),
            factors: try ImportedFactors.of(fields, account.id, key, random)
        )
    }

    private func name(_ name: String?, _ email: EmailAddress) throws(ImportRefusal) -> String {
        do {
            return try DisplayName(name ?? email.localPart).text
        } catch {
            throw .nameInvalid(error)
        }
    }

    private func hash(_ text: String) throws(ImportRefusal) -> PasswordHash {
        let whole = project?.complete(text) ?? text
        do {
            _ = try ImportedHashes.read(whole)
            return PasswordHash(phc: whole)
        } catch {
            throw project == nil && FirebaseProject.isExported(text) ? .projectMissing : .hash(error)
        }
    }
}
