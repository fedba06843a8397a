import Glibc

/// What the system says of a file or folder (stat(2)).
package struct FileStatus {
    /// Bytes.
    package let size: Int
    /// Its inode: another one where a file has been put in its place.
    package let number: UInt
    /// Whether it is neither a folder nor a device or pipe.
    package let isRegular: Bool
    /// Such as a terminal, a disk or /dev/zero.
    package let isDevice: Bool

    /// Of that to which the path leads, symbolic links followed. Nil where it leads to nothing, or
    /// may not be followed. Blocks.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let kind = status.st_mode & S_IFMT
        (size, number) = (Int(status.st_size), UInt(status.st_ino))
        (isRegular, isDevice) = (kind == S_IFREG, kind == S_IFCHR || kind == S_IFBLK)
    }
}
