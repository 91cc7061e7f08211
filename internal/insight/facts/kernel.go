package facts

// Kernel says whether a stack is in a system call.
func (s *Stack) Kernel() bool {
	return len(s.Frames) > 0 && s.Find(func(f *Frame) bool {
		return f.Is("internal/runtime/syscall.*", "internal/runtime/syscall/linux.*", "runtime/internal/syscall.*",
			"syscall.Syscall*", "syscall.RawSyscall*",
			"syscall.syscall*", "syscall.rawSyscall*", "runtime.futex", "runtime.epollwait")
	}) >= 0
}

// Background says whether a stack is of the collector's own goroutines, whose work is charged to those who allocate.
func (s *Stack) Background() bool {
	return s.Leaf() < 0 && s.Find(func(f *Frame) bool {
		return f.Is("runtime.gcBgMarkWorker*", "runtime.gcDrain*", "runtime.bgsweep", "runtime.bgscavenge",
			"runtime._GC")
	}) >= 0
}

// Assists says whether an allocation works for the collector.
func (s *Stack) Assists() bool {
	return s.Find(func(f *Frame) bool { return f.Is("runtime.gcAssistAlloc*") }) >= 0
}
