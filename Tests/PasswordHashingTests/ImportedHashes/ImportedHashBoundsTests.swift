import TestSupport
import Testing

@testable import PasswordHashing

@Suite("Foreign hash bounds")
struct ImportedHashBoundsTests {
    private static let tag32 = "rgKtdE4OcatqFfEGuWUc2953t9vkK9Yf9J0O+n1zZSY"
    private static let salt = "4Lw3JiQkBGCs9d77/3/P2Q"
    private static let bcrypt = "9dY8EIi5J/pt0cL0dCOU6eNbNV9NGKH065Zln/hHKG51SK/IdSFW."
    private static let crypt43 = "VOAb/Df.LusF7UeHKgbyOI8RD4.MUfInbQPTSZm8fU/"

    @Test(arguments: [
        "$2b$04$\(bcrypt)", "$2b$15$\(bcrypt)", "$5$rounds=660000$salt$\(crypt43)",
        "$scrypt$ln=18,r=8,p=1$\(salt)$\(tag32)", "$scrypt$ln=17,r=8,p=4$\(salt)$\(tag32)",
        "$scrypt$ln=15,r=1,p=1$\(salt)$\(tag32)", "$pbkdf2-sha256$5000000$\(salt)$\(dotted)",
        "$argon2id$v=19$m=262144,t=8,p=1$\(salt)$\(tag32)", "$argon2i$v=19$m=512,t=64,p=64$\(salt)$\(tag32)",
        "$y$jDT$salt$\(crypt43)", "$7$EU..../....salt$\(crypt43)",
    ])
    func `the costliest that is taken`(stored: String) {
        #expect(throws: Never.self) { try ImportedHashes.read(stored) }
    }

    @Test(arguments: [
        "$2b$03$\(bcrypt)", "$2b$16$\(bcrypt)", "$2b$31$\(bcrypt)", "$5$rounds=999$salt$\(crypt43)",
        "$5$rounds=660001$salt$\(crypt43)", "$scrypt$ln=19,r=8,p=1$\(salt)$\(tag32)",
        "$scrypt$ln=17,r=8,p=5$\(salt)$\(tag32)", "$scrypt$ln=10,r=8,p=17$\(salt)$\(tag32)",
        "$scrypt$ln=10,r=65,p=1$\(salt)$\(tag32)", "$scrypt$ln=16,r=1,p=1$\(salt)$\(tag32)",
        "$scrypt$ln=0,r=8,p=1$\(salt)$\(tag32)", "$scrypt$ln=63,r=8,p=1$\(salt)$\(tag32)",
        "$scrypt$ln=10,r=9223372036854775807,p=1$\(salt)$\(tag32)", "$pbkdf2-sha256$0$\(salt)$\(dotted)",
        "$pbkdf2-sha256$5000001$\(salt)$\(dotted)", "pbkdf2_sha1$9223372036854775807$salt$jcQZ9EqiJfu3lkn1TN7n88z3uJc=",
        "$argon2id$v=19$m=262145,t=1,p=1$\(salt)$\(tag32)", "$argon2id$v=19$m=262144,t=9,p=1$\(salt)$\(tag32)",
        "$argon2d$v=19$m=9223372036854775807,t=1,p=1$\(salt)$\(tag32)", "$argon2i$v=19$m=8,t=1,p=2$\(salt)$\(tag32)",
        "$y$jET$salt$\(crypt43)", "$7$FU..../....salt$\(crypt43)", "$7$CzzzzzE....salt$\(crypt43)",
        "$fbscrypt$v=1,n=25,r=8,p=1,ss=Bw==,sk=\(signerKey)$Bw==$\(signerKey)",
    ])
    func `beyond that it says what is allowed`(stored: String) {
        let refusal = #expect(throws: ImportedHashRefusal.self) { try ImportedHashes.read(stored) }
        #expect(refusal?.reason.contains("beyond what is taken: ") == true, "\(String(describing: refusal))")
    }

    @Test(arguments: [
        "$2b$5$\(bcrypt)", "$2b$+5$\(bcrypt)", "$2b$05$\(bcrypt.dropLast())1", "$5$rounds=01000$salt$\(crypt43)",
        "$5$rounds=1000,salt$\(crypt43)", "$5$$\(crypt43)", "$5$sal:t$\(crypt43)",
        "$scrypt$r=8,ln=10,p=1$\(salt)$\(tag32)", "$scrypt$ln=010,r=8,p=1$\(salt)$\(tag32)",
        "$scrypt$ln=-1,r=8,p=1$\(salt)$\(tag32)", "$scrypt$ln=10,r=8,p=1$\(salt)==$\(tag32)",
        "$scrypt$ln=10,r=8,p=1$$\(tag32)", "$scrypt$ln=10,r=8,p=1$\(salt)$\(tag32.dropLast())Z",
        "scrypt$1000$salt$8$1$rgKtdE4OcatqFfEGuWUc2953t9vkK9Yf9J0O+n1zZSY=",
        "scrypt$-1024$salt$8$1$rgKtdE4OcatqFfEGuWUc2953t9vkK9Yf9J0O+n1zZSY=",
        "$pbkdf2-sha256$1000$\(salt)$\(salt)", "$pbkdf2-sha256$i=1000,l=64$\(salt)$\(tag32)",
        "$pbkdf2-sha256$1e3$\(salt)$\(dotted)", "pbkdf2_sha256$1000$$\(tag32)=",
        "$argon2id$v=18$m=8,t=1,p=1$\(salt)$\(tag32)",
        "$argon2id$v=19$m=8,t=1$\(salt)$\(tag32)", "$argon2id$v=19$m=8,t=1,p=1$c2FsdA$\(tag32)", "argon2", "bcrypt$",
        "bcrypt_sha256$$5$salt$\(crypt43)", "$fbscrypt$v=2,n=14,r=8,p=1,ss=Bw==,sk=\(signerKey)$Bw==$\(signerKey)",
        "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=\(signerKey)$Bw==$Bw==", "$fbscrypt$Bw==$\(signerKey)",
        "$7$CU..$\(crypt43)", "$y$j9T$\(crypt43)",
    ])
    func `another spelling is malformed`(stored: String) {
        let refusal = #expect(throws: ImportedHashRefusal.self) { try ImportedHashes.read(stored) }
        #expect(refusal?.reason.contains("it is no complete ") == true, "\(String(describing: refusal))")
    }

    private static let dotted = tag32.replacing("+", with: ".")
    private static let signerKey = ImportedHashVectors.firebaseSignerKey
}
