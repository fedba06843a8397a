import CMemory

/// What the process holds of the machine's memory.
package enum MemoryInUse {
    /// Gives back what is not needed now; takes some milliseconds.
    package static func giveBack() {
        give_free_memory_back()
        give_program_pages_back()
    }
}
