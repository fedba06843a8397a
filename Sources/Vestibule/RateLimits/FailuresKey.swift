import Essentials

extension SecretKey {
    /// Names the failures in a row for an address, so that the store holds no address in clear. 16
    /// bytes.
    func failuresKey(_ emailKey: String) -> [UInt8] {
        Array(mac(.limit, Array("failures \(emailKey)".utf8)).prefix(16))
    }
}
