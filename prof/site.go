package prof

import (
	"cmp"
	"slices"

	"github.com/google/pprof/profile"
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
//   - the user's function, without directories, when it is the leaf: own time.
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

// folder folds stacks into sites. It reuses its space; it is not concurrent.
type folder struct {
	module string
	frames []frame
}

// fold returns the site of a sample, or observer = true for a stack of hone's probe
// or of the profiler itself, which the user did not ask for.
func (d *folder) fold(s *profile.Sample) (site Site, observer bool) {
	d.frames = appendFrames(d.frames[:0], s)
	if isObserver(d.frames) {
		return Site{}, true
	}
	user := slices.IndexFunc(d.frames, func(f frame) bool { return isUser(f.function, d.module) && !isStub(f) })
	return siteOf(d.frames, user), false
}

// siteOf is the site of the user's frame number i of a stack, leaf first; -1: there is none.
func siteOf(stack []frame, i int) Site {
	if i < 0 {
		return systemSite(stack)
	}
	f := stack[i]
	return Site{What: what(stack[:i], f), Function: f.function, File: f.file, Line: f.line}
}

// what names what the user's frame was doing, from the standard library's frames
// below it, leaf first.
func what(below []frame, user frame) string {
	if len(below) == 0 {
		return shortFunction(user.function)
	}
	for _, f := range below {
		if c := cFunction(f.function); c != "" {
			return c
		}
	}
	if isRawSyscall(below[0].function) {
		return "Syscall under " + kernelEntry(below, shortFunction(user.function))
	}
	allocates := false
	for _, f := range below {
		if isAssist(f.function) {
			return "garbage collector assist (runtime.gcAssistAlloc)"
		}
		allocates = allocates || isAllocation(f.function)
	}
	outermost := below[len(below)-1].function
	if allocates && PackagePath(outermost) == "runtime" {
		return "allocation (runtime.mallocgc)"
	}
	return outermost
}

// kernelEntry names the function that asked for the system call at the leaf. The
// caller is who called the outermost of the frames, for code that makes raw system
// calls itself.
func kernelEntry(frames []frame, caller string) string {
	i := 0
	for i < len(frames) && isRawSyscall(frames[i].function) {
		i++
	}
	if i == len(frames) {
		return caller
	}
	if !touchesKernel(PackagePath(frames[i].function)) {
		return frames[len(frames)-1].function
	}
	for i+1 < len(frames) && touchesKernel(PackagePath(frames[i+1].function)) {
		i++
	}
	return frames[i].function
}

// systemSite names a stack without a user's frame.
func systemSite(stack []frame) Site {
	if len(stack) == 0 {
		return Site{What: "runtime (no stack)"}
	}
	for _, f := range stack {
		switch f.function {
		case "runtime.gcBgMarkWorker", "runtime.bgsweep", "runtime.bgscavenge", "runtime._GC":
			return Site{What: "garbage collector (" + f.function + ")"}
		case "runtime.sysmon":
			return Site{What: "monitor thread (runtime.sysmon)"}
		case "runtime.findRunnable", "runtime.schedule":
			return Site{What: "scheduler (runtime.mcall)"}
		}
	}
	root := stack[len(stack)-1]
	switch root.function {
	case "runtime.mcall", "runtime.mstart", "runtime.mstart0", "runtime.mstart1":
		return Site{What: "scheduler (runtime.mcall)"}
	case "runtime.morestack":
		return Site{What: "stack growth (runtime.newstack)"}
	}
	if path := PackagePath(root.function); path == "" || path == "runtime" {
		return Site{What: root.function}
	}
	return siteOf(stack, len(stack)-1)
}

func compareSites(a, b Site) int {
	return cmp.Or(
		cmp.Compare(a.What, b.What),
		cmp.Compare(a.Function, b.Function),
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line))
}
