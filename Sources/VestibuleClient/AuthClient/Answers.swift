/// A token, and whose it is.
struct SessionAnswer: Decodable {
    let token: Secret
    let user: User
    let termsRequired: Bool
}

/// Who the token belongs to.
struct CurrentSessionAnswer: Decodable {
    let user: User
    let termsRequired: Bool
}

/// The handle of a flow that waits for a code.
struct FlowAnswer: Decodable {
    let flow: Secret
}

struct UserAnswer: Decodable {
    let user: User
}

struct SessionsAnswer: Decodable {
    let sessions: [DeviceSession]
}

struct NonceAnswer: Decodable {
    let nonce: Secret
}

struct CodesAnswer: Decodable {
    let codes: [Secret]
}
