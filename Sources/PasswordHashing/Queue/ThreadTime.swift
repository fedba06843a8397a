import CArgon2

/// Processor time the calling thread has used, in seconds: waiting for a core does not count.
package enum ThreadTime {
    package static var now: Double { argon2_thread_seconds() }
}
