// Leaks, so that the leak check can be seen to find it.
final class Kept { var number = 1 }

@inline(never) func leak() { _ = Unmanaged.passRetained(Kept()) }

for _ in 0..<10 { leak() }
