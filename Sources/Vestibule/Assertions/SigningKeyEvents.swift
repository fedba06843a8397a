extension SecurityEvent.Kind {
    static let signingKeyAdded = Self("signing_key_added", log: "sys_key_rotated")
    static let signingKeysReplaced = Self("signing_keys_replaced", log: "sys_key_rotated")
}
