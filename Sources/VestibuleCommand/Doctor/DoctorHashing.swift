import ArgumentParser
import Essentials
import Foundation
import PasswordHashing
import Vestibule

/// A time such as `250ms`.
struct Milliseconds {
    let seconds: Double

    @Sendable init(_ argument: String) throws {
        guard let number = argument.before("ms").flatMap({ Int($0) }), (1...10_000).contains(number) else {
            throw ValidationError("1ms to 10000ms, such as 25ms.")
        }
        seconds = Double(number) / 1000
    }
}

/// `vestibule doctor --tune`
enum DoctorTuning {
    /// Prints the settings of a hash that takes about so long on this machine.
    static func propose(_ target: Milliseconds, _ settings: Settings) throws {
        let physical = Int(clamping: ProcessInfo.processInfo.physicalMemory)
        // Half of it is for other things.
        let most = physical / 1024 / 2 / settings.hashingThreads
        do {
            let kernel = try KernelCheck(parameters: Argon2Parameters()).first(of: Argon2Kernel.runningHere)
            let tuning = HashingTuning(targetSeconds: target.seconds, memoryKiBAtMost: most)
            let found = try tuning.parameters { try HashingSpeed.seconds($0, kernel: kernel) }
            let seconds = try HashingSpeed.seconds(found, kernel: kernel)
            try Output.print("\(Setting.argon2MemoryKiB.rawValue)=\(found.memoryKiB)")
            try Output.print("\(Setting.argon2Iterations.rawValue)=\(found.iterations)")
            try Output.print("\(Setting.argon2Parallelism.rawValue)=\(found.parallelism)")
            Output.note(remark(found, seconds, kernel, settings))
        } catch let failure as Argon2.Failure {
            throw CommandFailure(
                "Argon2id failed with code \(failure.code)", hint: "Is there memory for one more hash?")
        }
    }

    private static func remark(
        _ found: Argon2Parameters, _ seconds: Double, _ kernel: Argon2Kernel?, _ settings: Settings
    ) -> String {
        let memory = settings.hashingThreads * found.memoryKiB / 1024
        return "One hash takes \(milliseconds(seconds)) ms with \(kernel?.name ?? "libargon2"); "
            + "\(settings.hashingThreads) hashing threads keep \(memory) MiB."
    }

    /// With one decimal.
    static func milliseconds(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10_000).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension DoctorReport {
    /// Which code hashes and how fast; a kernel that differs from libargon2 is a failure, although
    /// none uses it.
    mutating func checkHashing(_ settings: Settings) {
        do throws(Argon2.Failure) {
            let check = KernelCheck(parameters: settings.argon2)
            let kernels = settings.argon2.parallelism == 1 ? Argon2Kernel.runningHere : []
            let kernel = try check.first(of: kernels)
            if let wrong = kernels.first, wrong.name != kernel?.name {
                note("hashing", "the kernel \(wrong.name) differs from libargon2 on this processor and is not used")
            }
            let library = try HashingSpeed.seconds(settings.argon2, kernel: nil)
            let fastest = try HashingSpeed.seconds(settings.argon2, kernel: kernel)
            note(Self.hashing(kernel, fastest, library), nil)
        } catch {
            note("hashing", "Argon2id failed with code \(error.code)")
        }
    }

    private static func hashing(_ kernel: Argon2Kernel?, _ seconds: Double, _ library: Double) -> String {
        let slow = "libargon2 \(DoctorTuning.milliseconds(library)) ms"
        guard let kernel else { return "hashing (\(slow) a hash)" }
        return "hashing (\(kernel.name) \(DoctorTuning.milliseconds(seconds)) ms a hash, \(slow))"
    }
}
