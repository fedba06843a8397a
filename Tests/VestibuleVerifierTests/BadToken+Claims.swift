import Foundation
import VerifierSupport

extension BadToken {
    private static let wrong = "A claim is missing or of the wrong type."
    private static let issuer = "It was issued by another sign-in."
    private static let audience = "It is for another application."
    private static let expired = "It has expired."
    private static let early = "It is not good yet: the clock here is behind."
    private static let subject = "Its subject is not an id."

    static let values = [
        BadToken("another issuer", issuer) { $0.claims["iss"] = #""https://evil.example""# },
        BadToken("an issuer with a slash", issuer) { $0.claims["iss"] = #""https://login.example.com/""# },
        BadToken("an issuer in upper case", issuer) { $0.claims["iss"] = #""https://LOGIN.example.com""# },
        BadToken("an empty issuer", issuer) { $0.claims["iss"] = #""""# },
        BadToken("another audience", audience) { $0.claims["aud"] = #""https://wiki.example.com""# },
        BadToken("an audience that only begins like this one", audience) {
            $0.claims["aud"] = #""https://notes.example.com.evil.example""#
        },
        BadToken("an audience with a port", audience) { $0.claims["aud"] = #""https://notes.example.com:443""# },
        BadToken("an audience with a NUL behind it", audience) {
            $0.claims["aud"] = #""https://notes.example.com\u0000""#
        },
        BadToken("expired this second", expired) { $0.claims["exp"] = "1800000010" },
        BadToken("a clock here that is 61 s ahead", expired) { $0.now += 61 },
        BadToken("expired before the beginning of time", expired) { $0.claims["exp"] = "-9223372036854775808" },
        BadToken("a clock that is 71 s behind", early) { $0.now -= 71 },
        BadToken("made 61 s from now", early) { $0.claims["iat"] = "1800000071" },
        BadToken("made at the end of time", early) { $0.claims["iat"] = "9223372036854775807" },
        BadToken("not before 61 s from now", early) { $0.claims["nbf"] = "1800000071" },
        BadToken("an empty subject", subject) { $0.claims["sub"] = #""""# },
        BadToken("a subject with a NUL", subject) { $0.claims["sub"] = #""ada1\u0000""# },
        BadToken("a subject with a line end", subject) { $0.claims["sub"] = #""ada1\n""# },
        BadToken("a subject with a combining mark", subject) { $0.claims["sub"] = #""ada1́""# },
    ]

    static let types = [
        BadToken("an audience in an array", wrong) { $0.claims["aud"] = #"["https://notes.example.com"]"# },
        BadToken("an empty array as audience", wrong) { $0.claims["aud"] = "[]" },
        BadToken("an issuer that is null", wrong) { $0.claims["iss"] = "null" },
        BadToken("a subject that is a number", wrong) { $0.claims["sub"] = "1" },
        BadToken("exp in quotes", wrong) { $0.claims["exp"] = #""1800000060""# },
        BadToken("exp that is true", wrong) { $0.claims["exp"] = "true" },
        BadToken("exp beyond all numbers", wrong) { $0.claims["exp"] = "1e400" },
        BadToken("exp beyond 64 bits", wrong) { $0.claims["exp"] = "9223372036854775808" },
        BadToken("iat in quotes", wrong) { $0.claims["iat"] = #""1800000000""# },
        BadToken("nbf in quotes", wrong) { $0.claims["nbf"] = #""1800000000""# },
        BadToken("auth_time in quotes", wrong) { $0.claims["auth_time"] = #""1799990000""# },
        BadToken("email_verified in quotes", wrong) { $0.claims["email_verified"] = #""true""# },
        BadToken("email_verified as a number", wrong) { $0.claims["email_verified"] = "1" },
        BadToken("groups in one text", wrong) { $0.claims["groups"] = #""staff admins""# },
        BadToken("groups by number", wrong) { $0.claims["groups"] = #"["staff", 1]"# },
    ]

    static let missing =
        ["iss", "aud", "sub", "jti", "iat", "exp", "groups", "amr"].map { claim in
            BadToken("no \(claim)", wrong) { $0.claims[claim] = nil }
        }
        + ["sid", "email", "email_verified", "name", "auth_time"].map { claim in
            BadToken("a person without \(claim)", "It leaves out a claim about the person.") { $0.claims[claim] = nil }
        }
}
