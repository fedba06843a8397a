/// What one scrypt hash costs (RFC 7914): 2 to the `log2Cost` blocks of 128 × `blockSize` bytes,
/// once for each lane.
struct ScryptParameters: Sendable {
    let log2Cost: Int
    let blockSize: Int
    let lanes: Int

    /// Throws when the standard does not define them or they are beyond `ImportedHashBounds`.
    func check() throws(ImportedHashRefusal) {
        let bounds = ImportedHashBounds.self
        guard (1...40).contains(log2Cost), bounds.scryptBlockSize.contains(blockSize), log2Cost < 16 * blockSize,
            bounds.scryptLanes.contains(lanes), memoryBytes <= bounds.memoryBytes,
            memoryBytes * lanes <= bounds.scryptBytes
        else {
            let (memory, all) = (bounds.memoryBytes >> 20, bounds.scryptBytes >> 20)
            throw .outOfBounds(
                "scrypt",
                allowed:
                    "128·N·r of \(memory) MiB, 128·N·r·p of \(all) MiB, r of \(bounds.scryptBlockSize.upperBound), "
                    + "p of \(bounds.scryptLanes.upperBound) at most"
            )
        }
    }

    var cost: Int { 1 << log2Cost }

    var memoryBytes: Int { 128 * blockSize << log2Cost }
}
