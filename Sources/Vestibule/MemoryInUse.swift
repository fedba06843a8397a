import CMemory

/// What the process holds of the machine's memory.
enum MemoryInUse {
    /// Gives back what is not needed now; takes some milliseconds.
    static func giveBack() {
        give_free_memory_back()
        give_program_pages_back()
    }
}
