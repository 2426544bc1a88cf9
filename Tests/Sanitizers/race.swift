// Two threads and one number without a lock, so that ThreadSanitizer can be seen to find it.
import Glibc

nonisolated(unsafe) let number = UnsafeMutablePointer<Int>.allocate(capacity: 1)
number.initialize(to: 0)

let count: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
  for _ in 0..<100_000 { number.pointee += 1 }
  return nil
}
var threads = [pthread_t(), pthread_t()]
for index in threads.indices { pthread_create(&threads[index], nil, count, nil) }
for thread in threads { pthread_join(thread, nil) }
