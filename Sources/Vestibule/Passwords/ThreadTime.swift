import CDispatch
import Foundation

/// Processor time the calling thread has used, in seconds: waiting for a core does not count.
package enum ThreadTime {
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
