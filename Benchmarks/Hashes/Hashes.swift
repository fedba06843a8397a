import Essentials
import Foundation
import PasswordHashing

/// Argon2id with the server's default parameters and nothing around it: hashes a second on all
/// threads together, and processor milliseconds a hash, one line. Or what the slowest password
/// takes to be judged, in processor milliseconds.
@main
enum Hashes {
    static func main() throws {
        let words = CommandLine.arguments
        if words.dropFirst() == ["estimates"] { return print(Estimates.slowestMilliseconds()) }
        guard words.count == 4, let code = Code(rawValue: words[1]), let threads = Int(words[2]),
            let seconds = Double(words[3])
        else {
            let usage = "usage: hashes estimates | hashes libargon2|kernel THREADS SECONDS\n"
            FileHandle.standardError.write(Data(usage.utf8))
            exit(64)
        }
        let work = try measure(code.kernel(), threads: threads, seconds: seconds)
        print(work.hashesPerSecond, 1000 * work.processorSeconds / Double(work.hashes))
    }

    private enum Code: String {
        case libargon2, kernel

        /// nil where libargon2 hashes.
        func kernel() throws -> Argon2Kernel? {
            switch self {
            case .libargon2: return nil
            case .kernel:
                guard let fastest = Argon2Kernel.runningHere.first else { throw Missing() }
                return fastest
            }
        }
    }

    /// This processor runs no kernel.
    struct Missing: Error {}

    private static func measure(_ kernel: Argon2Kernel?, threads: Int, seconds: Double) throws -> Work {
        let total = Total()
        let finished = DispatchSemaphore(value: 0)
        for _ in 0..<threads {
            Thread.detachNewThread {
                total.add(Result { try hash(kernel, for: .seconds(seconds)) })
                finished.signal()
            }
        }
        for _ in 0..<threads { finished.wait() }
        return try total.work
    }

    private static func hash(_ kernel: Argon2Kernel?, for duration: Duration) throws -> Work {
        let parameters = Argon2Parameters()
        KeptMemory.keep(bytes: parameters.memoryBytes)
        let (salt, password) = ([UInt8](1...16), Password("a password"))
        let hashOnce = { _ = try Argon2.tag(of: password, salt: salt, parameters: parameters, kernel: kernel) }
        // The first one pays for the pages of the memory that is kept.
        try hashOnce()
        let (start, startOfWork) = (ContinuousClock.now, ThreadTime.now)
        var work = Work()
        while start.duration(to: .now) < duration {
            try hashOnce()
            work.hashes += 1
        }
        work.processorSeconds = ThreadTime.now - startOfWork
        work.hashesPerSecond = Double(work.hashes) / (start.duration(to: .now) / .seconds(1))
        return work
    }
}
