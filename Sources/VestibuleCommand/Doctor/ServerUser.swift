import Foundation

/// The user that the server runs as, taken to be the owner of the working folder.
struct ServerUser {
    let name: String
    private let id: uid_t
    private let groups: Set<gid_t>

    /// Nil if this process is not root's, or if root owns the folder.
    init?() {
        guard geteuid() == 0, let folder = Self.facts("."), folder.owner != 0 else { return nil }
        id = folder.owner
        name = folder.ownerName ?? "\(id)"
        var count: Int32 = 256
        var found = [gid_t](repeating: 0, count: Int(count))
        _ = getgrouplist(name, folder.group, &found, &count)
        groups = Set(found.prefix(Int(count))).subtracting([0])
    }

    /// Whether the mode of the file or folder lets the user do that (`R_OK`, `W_OK`, `X_OK`); true
    /// for what is not there. The path must have no links. Ignores access lists.
    func may(_ wanted: Int32, _ path: String) -> Bool {
        guard let found = Self.facts(path) else { return true }
        let shift = found.owner == id ? 6 : groups.contains(found.group) ? 3 : 0
        return (found.mode >> shift) & Int(wanted) == wanted
    }

    /// The command that grants it, or comes first. Outside the working folder the owner stays.
    func command(_ wanted: Int32, _ path: String, isInside: Bool) -> String {
        guard let found = Self.facts(path), found.owner != id else { return "chmod u+rwX" }
        guard !isInside else { return "chown --reference=." }
        guard wanted != X_OK else { return "chmod a+x" }
        return groups.contains(found.group) ? "chmod g+rX" : "chgrp --reference=."
    }

    /// Of a file or folder; nil if there is none.
    static func facts(_ path: String) -> (owner: uid_t, ownerName: String?, group: gid_t, mode: Int)? {
        guard let found = try? FileManager.default.attributesOfItem(atPath: path),
            let owner = found[.ownerAccountID] as? NSNumber, let group = found[.groupOwnerAccountID] as? NSNumber,
            let mode = found[.posixPermissions] as? NSNumber
        else { return nil }
        return (owner.uint32Value, found[.ownerAccountName] as? String, group.uint32Value, mode.intValue)
    }
}
