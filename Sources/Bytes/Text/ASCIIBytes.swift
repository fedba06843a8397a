extension UInt8 {
    @inlinable package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
    @inlinable package var isASCIILetterOrDigit: Bool {
        isASCIIDigit || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
