import CLinux
import Glibc
import Model

/// Gives memory that was needed for a while back to the system. By itself malloc keeps most of what
/// is freed, so that what one peer had made a process hold would go on to be missing.
struct FreeMemory {
  private var lookUs = Int64.min / 2
  /// What could not be given back when that was tried last: it lies between what is in use.
  private var leftByteCount = 0

  /// Large blocks are the system's own from now on, and go back to it as soon as they are freed.
  /// (malloc's threshold grows, by default, with the first block that is.)
  static func keepLargeBlocksApart() { _ = mallopt(M_MMAP_THRESHOLD, Limits.largeBlockBytes) }

  /// Looks now and then whether there is much, and gives it back.
  mutating func giveBack(at now: Moment) {
    guard now.monotonicUs - lookUs >= Limits.freeMemoryIntervalMs * 1_000 else { return }
    lookUs = now.monotonicUs
    let spare = Self.spareByteCount()
    leftByteCount = min(leftByteCount, spare)
    guard spare - leftByteCount > Limits.spareMemoryBytes else { return }
    _ = malloc_trim(0)
    leftByteCount = Self.spareByteCount()
  }

  /// What the process has of the machine's memory beyond what is in use: what is free, and what is
  /// no allocation, as the programs themselves.
  private static func spareByteCount() -> Int {
    let use = mallinfo2()
    return max(0, residentByteCount() - Int(use.uordblks) - Int(use.hblkhd))
  }

  /// What the process has of the machine's memory; 0 where the kernel does not tell.
  private static func residentByteCount() -> Int {
    guard let file = fopen("/proc/self/statm", "re") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let words = String(
      decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self
    )
    .split(separator: " ")
    guard words.count > 1, let pages = Int(words[1]) else { return 0 }
    return pages * Int(getpagesize())
  }
}
