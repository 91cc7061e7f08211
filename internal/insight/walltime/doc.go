// Package walltime says where the wall time of requests goes, from an execution trace of the
// Go runtime and the time stamps of the load generator.
//
// The words of this package: a span is the time that a goroutine spends in one state. A window is
// the part of a goroutine's life in which it works on a request. The critical path of a window is
// what the request waited for at each moment: its own work or, while its goroutine is blocked, that
// of the goroutine that woke it up (Graham, Kessler and McKusick's call graph turned by 90 degrees;
// for traces of Go see golang/go#57175). A piece is a part of the path in one state on one stack.
//
// Times are nanoseconds of CLOCK_MONOTONIC: that of the runtime's traces on Linux, and of the
// generator's stamps.
package walltime
