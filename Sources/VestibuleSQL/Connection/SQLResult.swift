package import Essentials
import Vestibule

/// What a column can be read as.
package protocol SQLResult {
    static var sqlType: SQLType { get }
    /// Returns nil for what does not fit, as NULL where there must be a value.
    init?(sql value: SQLValue)
}

extension Int64: SQLResult {
    package init?(sql value: SQLValue) {
        guard case .number(let number) = value else { return nil }
        self = number
    }
}

extension Int: SQLResult {
    package init?(sql value: SQLValue) {
        guard let number = Int64(sql: value) else { return nil }
        self.init(exactly: number)
    }
}

extension Bool: SQLResult {
    package init?(sql value: SQLValue) {
        guard case .flag(let flag) = value else { return nil }
        self = flag
    }
}

extension String: SQLResult {
    package init?(sql value: SQLValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}

extension [UInt8]: SQLResult {
    package init?(sql value: SQLValue) {
        guard case .bytes(let bytes) = value else { return nil }
        self = bytes
    }
}

extension AccountID: SQLResult {
    package init?(sql value: SQLValue) {
        guard let text = String(sql: value) else { return nil }
        self.init(rawValue: text)
    }
}

extension SessionID: SQLResult {
    package init?(sql value: SQLValue) {
        guard let text = String(sql: value) else { return nil }
        self.init(rawValue: text)
    }
}

extension Optional: SQLResult where Wrapped: SQLResult & SQLParameter {
    package init?(sql value: SQLValue) {
        if case .null = value {
            self = Wrapped?.none
            return
        }
        guard let value = Wrapped(sql: value) else { return nil }
        self = Wrapped?.some(value)
    }
}
