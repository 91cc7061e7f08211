package prof

import (
	"cmp"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/symbol"
)

// Site is a place in the user's code together with what it was doing.
//
// Function, File and Line are those of the frame nearest the leaf that is not the
// standard library's; dependencies count as the user's. What is
//
//   - "Syscall under net.(*conn).Read" when the leaf is a raw system call: the
//     outermost function of the packages net, os, internal/poll and syscall above
//     it, so that it names the same whether the user's code came there directly,
//     or by io.ReadFull or bufio;
//   - "allocation (runtime.mallocgc)" when the user's frame allocates itself, and
//     "garbage collector assist (runtime.gcAssistAlloc)" when an allocation, its own
//     or not, was made to help the collector;
//   - "C.free" when the user's frame called C by way of cgo;
//   - otherwise the standard-library function that the user's frame called;
//   - the user's function, without directories, when it is the leaf, or was preempted there: own time.
//
// Stacks without a user's frame have no File and Line where they are the runtime's
// own: "scheduler (runtime.mcall)", "garbage collector (runtime.gcBgMarkWorker)"
// and the like. The others (net/http reading a request) have those of their root.
type Site struct {
	What     string `json:"what"`
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int64  `json:"line,omitempty"`
}

// SiteFolder folds stacks into sites. It reuses its space; it is not concurrent.
type SiteFolder struct {
	Module string
	Frames []symbol.Frame
}

// Fold returns the site of a sample, or observer = true for a stack of hone's probe
// or of the profiler itself, which the user did not ask for.
func (d *SiteFolder) Fold(s *profile.Sample) (site Site, observer bool) {
	d.Frames = symbol.AppendFrames(d.Frames[:0], s)
	if symbol.IsObserver(d.Frames) {
		return Site{}, true
	}
	user := slices.IndexFunc(d.Frames,
		func(f symbol.Frame) bool { return symbol.IsUser(f.Function, d.Module) && !symbol.IsStub(f) })
	return siteOf(d.Frames, user), false
}

// siteOf is the site of the user's frame number i of a stack, leaf first; -1: there is none.
func siteOf(stack []symbol.Frame, i int) Site {
	if i < 0 {
		return systemSite(stack)
	}
	f := stack[i]
	return Site{What: what(stack[:i], f), Function: f.Function, File: f.File, Line: f.Line}
}

// what names what the user's frame was doing, from the standard library's frames
// below it, leaf first.
func what(below []symbol.Frame, user symbol.Frame) string {
	// A signal of the runtime puts asyncPreempt on a goroutine that has run for long; what ran is the frame below.
	if len(below) == 0 || below[len(below)-1].Function == "runtime.asyncPreempt" {
		return symbol.Short(user.Function)
	}
	for _, f := range below {
		if c := symbol.CFunction(f.Function); c != "" {
			return c
		}
	}
	if symbol.IsRawSyscall(below[0].Function) {
		return "Syscall under " + kernelEntry(below, symbol.Short(user.Function))
	}
	allocates := false
	for _, f := range below {
		if symbol.IsAssist(f.Function) {
			return "garbage collector assist (runtime.gcAssistAlloc)"
		}
		allocates = allocates || symbol.IsAllocation(f.Function)
	}
	outermost := below[len(below)-1].Function
	if allocates && symbol.PackagePath(outermost) == "runtime" {
		return "allocation (runtime.mallocgc)"
	}
	return outermost
}

// kernelEntry names the function that asked for the system call at the leaf. The
// caller is who called the outermost of the frames, for code that makes raw system
// calls itself.
func kernelEntry(frames []symbol.Frame, caller string) string {
	i := 0
	for i < len(frames) && symbol.IsRawSyscall(frames[i].Function) {
		i++
	}
	if i == len(frames) {
		return caller
	}
	if !symbol.TouchesKernel(symbol.PackagePath(frames[i].Function)) {
		return frames[len(frames)-1].Function
	}
	for i+1 < len(frames) && symbol.TouchesKernel(symbol.PackagePath(frames[i+1].Function)) {
		i++
	}
	return frames[i].Function
}

// systemSite names a stack without a user's frame.
func systemSite(stack []symbol.Frame) Site {
	if len(stack) == 0 {
		return Site{What: "runtime (no stack)"}
	}
	for _, f := range stack {
		switch f.Function {
		case "runtime.gcBgMarkWorker", "runtime.bgsweep", "runtime.bgscavenge", "runtime._GC":
			return Site{What: "garbage collector (" + f.Function + ")"}
		case "runtime.sysmon":
			return Site{What: "monitor thread (runtime.sysmon)"}
		case "runtime.findRunnable", "runtime.schedule":
			return Site{What: "scheduler (runtime.mcall)"}
		}
	}
	root := stack[len(stack)-1]
	switch root.Function {
	case "runtime.mcall", "runtime.mstart", "runtime.mstart0", "runtime.mstart1":
		return Site{What: "scheduler (runtime.mcall)"}
	case "runtime.morestack":
		return Site{What: "stack growth (runtime.newstack)"}
	}
	if path := symbol.PackagePath(root.Function); path == "" || path == "runtime" {
		return Site{What: root.Function}
	}
	return siteOf(stack, len(stack)-1)
}

func CompareSites(a, b Site) int {
	return cmp.Or(
		cmp.Compare(a.What, b.What),
		cmp.Compare(a.Function, b.Function),
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line))
}
