import Essentials
import PasswordHashing
import Vestibule

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
