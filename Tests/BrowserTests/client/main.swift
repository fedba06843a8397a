import Foundation
import Synchronization

// What an app does with `docs/examples/AuthClient.swift`: argument 1 is the server, 2 an address;
// codes come on standard input. Prints what it sees, one line each.

guard CommandLine.arguments.count == 3, let server = URL(string: CommandLine.arguments[1]) else { exit(64) }
let (email, password) = (CommandLine.arguments[2], "violet tram under seven bridges")
let box = Box()
let client = AuthClient(server: server) { box.keep($0) }

let flow = try await client.signUp(name: "Ada Lovelace", email: email, password: password)
print("flow")
fflush(nil)
if let flow, let code = readLine() { try await client.verify(flow: flow, code: code) }
let restarted = AuthClient(server: server, token: box.token) { box.keep($0) }
print("restored", try await restarted.currentUser()?.name ?? "nobody")
try await client.signOut()
print("kept", box.token ?? "nothing")
do { try await client.signIn(email: email, password: "wrong") } catch let refused as AuthClient.Refused {
    print(refused.code, refused.detail)
}
try await client.signIn(email: email, password: password)
print("signed in", try await client.currentUser()?.name ?? "nobody")

var seen: [String] = []
for await user in client.users {
    seen.append(user?.name ?? "nobody")
    if seen.count == 4 { break }
}
print("changes", seen.joined(separator: ", "))

/// Stands for the Keychain.
final class Box: Sendable {
    private let stored = Mutex<String?>(nil)

    var token: String? { stored.withLock { $0 } }

    func keep(_ token: String?) { stored.withLock { $0 = token } }
}
