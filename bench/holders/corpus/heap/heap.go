// Package heap is what all programs of the corpus share: it has a program build up its heap, dumps that heap, has the program let go
// of it, and prints what that freed.
package heap

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// Program is one program of the corpus. Nothing that these functions use on their way may stay in their frames or closures: only what
// the program means to hold is held.
type Program struct {
	// Build allocates about size bytes and returns when all of it is where it stays.
	Build func(size int)
	// Clear lets go of all that Build left, and waits for goroutines that it ends. A decoy has none.
	Clear func()
	// Outside are the bytes that the program holds outside of the heap of Go; nil for none.
	Outside func() int64
}

// Figures are what a program prints: bytes, unless they are named otherwise.
type Figures struct {
	// Base is what the program holds before it builds, Before and After what it holds before and after it clears. All are of the
	// heap and of the stacks, after collections, and Stacks is the part of Before that stacks are.
	Base   int64 `json:"base"`
	Before int64 `json:"before"`
	After  int64 `json:"after"`
	Stacks int64 `json:"stacks"`
	// Allocated is what Build allocated in the heap, also what it did not keep.
	Allocated int64 `json:"allocated"`
	// Outside is what clearing frees outside of the heap of Go.
	Outside int64 `json:"outside"`
	// Dump is the length of the dump, PauseNanos for how long it stopped the program.
	Dump       int64 `json:"dump"`
	PauseNanos int64 `json:"pause_ns"`
}

// settings are what every program holds from its start and never lets go of: another holder, of a small part of the heap.
var settings = map[string][]byte{}

// Main is the main function of a program: PROGRAM -dump FILE [-bytes N]. It ends the process.
func (p Program) Main() {
	dump := flag.String("dump", "", "`file` for the dump")
	size := flag.Int("bytes", 32<<20, "size of the heap")
	flag.Parse()
	runtime.GOMAXPROCS(1) // replaceStacks knows one free list
	f, err := p.run(*dump, *size)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(f)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func (p Program) run(dump string, size int) (f Figures, err error) {
	for i := range 32 {
		settings[fmt.Sprint("setting ", i)] = make([]byte, size/2048)
	}
	base := settle()
	p.Build(size)
	before := settle()
	f = Figures{Base: held(base), Before: held(before), Stacks: int64(before.StackInuse), Allocated: int64(before.TotalAlloc - base.TotalAlloc)}
	outside := p.outside()
	if f.Dump, f.PauseNanos, err = write(dump); err != nil {
		return f, err
	}
	if p.Clear != nil {
		p.Clear()
		settle()
		replaceStacks()
	}
	f.After, f.Outside = held(settle()), outside-p.outside()
	runtime.KeepAlive(settings)
	return f, nil
}

func (p Program) outside() int64 {
	if p.Outside == nil {
		return 0
	}
	return p.Outside()
}

func held(m runtime.MemStats) int64 { return int64(m.HeapAlloc + m.StackInuse) }

// settle collects twice, because a pool gives its objects up only at the second collection, and then once more for what finalizers and
// cleanups let go of meanwhile.
func settle() (m runtime.MemStats) {
	for range 3 {
		runtime.GC()
		time.Sleep(2 * time.Millisecond) // finalizers, cleanups, goroutines that are about to end
	}
	runtime.ReadMemStats(&m)
	return m
}

// replaceStacks starts as many goroutines as the free list of a processor keeps with the stacks of those that ended. The first stack
// of a goroutine is as large as the last collection found stacks to be on average: each of another size is freed (runtime, gfget).
func replaceStacks() {
	var started sync.WaitGroup
	for range 64 {
		started.Go(func() {})
	}
	started.Wait()
}

// write writes the dump to a file, and says how long that stopped the program.
func write(path string) (length, pauseNanos int64, err error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	begin := time.Now()
	debug.WriteHeapDump(file.Fd())
	pauseNanos = time.Since(begin).Nanoseconds()
	info, err := file.Stat()
	if err != nil {
		return 0, 0, err
	}
	return info.Size(), pauseNanos, nil
}
