package symbol

import (
	"net/url"
	"regexp"
	"strings"
)

// PackagePath returns the import path in a function's name as profiles write it, "main" for
// package main, or "" for symbols outside of any package: assembly helpers, C functions, and
// what the compiler generates per type.
//
//	net.(*conn).Read                            net
//	example.com/a/b%2ev2.Map[go.shape.int].func1   example.com/a/b.v2
func PackagePath(function string) string {
	if strings.HasPrefix(function, "type:") || strings.HasPrefix(function, "go:") {
		return ""
	}
	// Type arguments contain paths of their own.
	name, _, _ := strings.Cut(function, "[")
	slash := strings.LastIndexByte(name, '/')
	dot := strings.IndexByte(name[slash+1:], '.')
	if dot < 0 {
		return ""
	}
	path := name[:slash+1+dot]
	// The linker escapes dots in the last element as %2e.
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	return path
}

// Short drops the directories of the package path, and the hashes that stand for shapes of structs:
// example.com/a/framed.(*Server).Serve -> framed.(*Server).Serve,
// example.com/a/grpc.(*Stream[go.shape.b308 and 60 more]).Send -> grpc.(*Stream[...]).Send.
func Short(function string) string {
	name, args, generic := strings.Cut(function, "[")
	short := function[strings.LastIndexByte(name, '/')+1:]
	if generic && strings.Contains(args, "go.shape.") {
		return hashedShape.ReplaceAllString(short, "...")
	}
	return short
}

// hashedShape is a type argument whose shape is too long for a name: the compiler writes a hash of it.
var hashedShape = regexp.MustCompile(`go\.shape\.[0-9a-f]{32,}`)

// IsUser says whether a function is the user's own or a dependency's, as opposed
// to the standard library's. The first element of a standard package's path has no
// dot; package main and packages of the main module are the user's whatever their
// path.
func IsUser(function, module string) bool {
	path := PackagePath(function)
	switch {
	case path == "":
		return false
	case path == "main", module != "" && (path == module || strings.HasPrefix(path, module+"/")):
		return true
	}
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

// IsProbe says whether a function belongs to hone's probe: honeProbe... in package
// main, where the overlay puts it, or in a package named probe.
func IsProbe(function string) bool {
	short := Short(function)
	pkg, name, _ := strings.Cut(short, ".")
	return (pkg == "main" || pkg == "probe") && strings.HasPrefix(strings.TrimLeft(name, "(*"), "honeProbe")
}

// IsProfiler says whether a function takes or serves profiles. Others of
// runtime/pprof (Do, SetGoroutineLabels) wrap the user's own work.
func IsProfiler(function string) bool {
	switch function {
	case "runtime/pprof.profileWriter", "runtime/pprof.(*Profile).WriteTo",
		"runtime/pprof.StartCPUProfile", "runtime/pprof.StopCPUProfile":
		return true
	}
	return PackagePath(function) == "net/http/pprof"
}

// IsTracer says whether a function writes the events of an execution trace, or reads them while it is taken. The rest
// of runtime/trace (WithRegion, Log) wraps the user's own work.
func IsTracer(function string) bool {
	switch name, ok := strings.CutPrefix(function, "runtime."); {
	case !ok:
		return strings.HasPrefix(function, "runtime/trace.Start") ||
			strings.HasPrefix(function, "runtime/trace.(*traceMultiplexer).")
	case strings.HasPrefix(name, "traceback"): // for profiles and panics
		return false
	default:
		return strings.HasPrefix(name, "trace") || strings.HasPrefix(name, "(*trace")
	}
}

// IsRawSyscall says whether a function is the system call instruction itself or
// the thin wrapper around it. runtime.futex is none: the scheduler calls it.
func IsRawSyscall(function string) bool {
	switch path := PackagePath(function); {
	case path == "syscall":
		name := strings.ToLower(strings.TrimPrefix(function, "syscall."))
		return strings.HasPrefix(name, "syscall") || strings.HasPrefix(name, "rawsyscall")
	case path == "runtime/internal/syscall": // until Go 1.22
		return true
	default: // internal/runtime/syscall since Go 1.23, with /linux since Go 1.26
		return path == "internal/runtime/syscall" || strings.HasPrefix(path, "internal/runtime/syscall/")
	}
}

// TouchesKernel says whether a package wraps system calls, so that its outermost
// function names what was asked of the kernel.
func TouchesKernel(path string) bool {
	switch path {
	case "syscall", "internal/poll", "os", "net":
		return true
	}
	return strings.HasPrefix(path, "internal/syscall/")
}

// IsAllocation says whether a function is the allocator or the compiler's way
// into it.
func IsAllocation(function string) bool {
	switch function {
	case "runtime.newobject", "runtime.newarray", "runtime.makeslice", "runtime.makeslicecopy":
		return true
	}
	return strings.HasPrefix(function, "runtime.mallocgc")
}
