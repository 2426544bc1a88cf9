// Two threads and one number without a lock, so that ThreadSanitizer can be seen to find it.
import Glibc

nonisolated(unsafe) let number = UnsafeMutablePointer<Int>.allocate(capacity: 1)
number.initialize(to: 0)

// Both threads are there from before the first step to after the last: of one that has ended little is remembered. Two
// barriers, since who leaves the first one late would be in order with whoever has come to it again.
nonisolated(unsafe) let barriers = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 2)
pthread_barrier_init(barriers, nil, 2)
pthread_barrier_init(barriers + 1, nil, 2)

let count: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
  pthread_barrier_wait(barriers)
  for _ in 0..<1000 { number.pointee += 1 }
  pthread_barrier_wait(barriers + 1)
  return nil
}
var threads = [pthread_t(), pthread_t()]
for index in threads.indices { pthread_create(&threads[index], nil, count, nil) }
for thread in threads { pthread_join(thread, nil) }
