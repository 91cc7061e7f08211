package heapdump

import "github.com/gohone/hone/prof/symbol"

// Tag says what a record is.
type Tag uint64

// The tags of GOROOT/src/runtime/heapdump.go.
const (
	EOF Tag = iota
	Object
	OtherRoot
	Type
	Goroutine
	StackFrame
	Params
	Finalizer
	Itab
	OSThread
	MemStats
	QueuedFinalizer
	Data
	BSS
	Defer
	Panic
	MemProf
	AllocSample
)

// Entry is one record of a dump. Only the fields that its tag names are set.
type Entry struct {
	Tag Tag
	// Offset is where it begins in the file.
	Offset int64
	// Address is that of an object, a segment, a type, an itab, a goroutine's g, the stack pointer of a frame, or of
	// what a finalizer, a root, a defer or a panic refers to.
	Address uint64
	// Size is the length in bytes of the contents of an object, a segment or a frame, or the size of a type or of the
	// objects of a record of allocations.
	Size uint64
	// Name is that of a type, a frame's function or another root.
	Name string
	// Type is the address of the type of an itab, or of a panic's value.
	Type uint64
	// SP is the stack pointer of the frame that has a defer.
	SP uint64
	// Func is the closure of a finalizer or a defer.
	Func uint64
	// Frame is set of a stack frame, Stack of a goroutine, Sites of a record of the profile of allocations, the innermost
	// first. Such a record has its own address, and a sample of the allocations has the address of an object, and in Type
	// that of its record.
	Frame Frame
	Stack Stack
	Sites []symbol.Frame
}

// Frame is a call on a goroutine's stack. The frames of a goroutine follow its record, the innermost first.
type Frame struct {
	// Depth counts from the innermost, which is 0.
	Depth uint64
	// Entry is the address of the function, PC that at which it goes on.
	Entry, PC uint64
}

// Stack is what is known of a goroutine besides its frames.
type Stack struct {
	ID uint64
	// Started is the address after the go statement that started it.
	Started uint64
	// System says that the runtime started it for itself.
	System bool
	// Wait is why it waits, such as "chan receive".
	Wait string
}

// Layout is how the program that wrote the dump lays out memory.
type Layout struct {
	BigEndian bool
	// PointerSize is 4 or 8 bytes.
	PointerSize int
	// Arch is GOARCH, Version that of Go, such as "go1.26.8".
	Arch, Version string
}
