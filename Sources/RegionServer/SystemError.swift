import Glibc

/// A system call that failed, with its errno, which stays a number until somebody prints it.
package struct SystemError: Error, Equatable, Sendable {
  /// The call, as its manual page is named.
  package let call: String
  /// Its errno.
  package let errno: Int32

  package init(_ call: StaticString, errno: Int32 = Glibc.errno) {
    self.call = String(describing: call)
    self.errno = errno
  }

  /// Such as `bind: Address already in use`.
  package var text: String { "\(call): \(String(cString: strerror(errno)))" }
}
