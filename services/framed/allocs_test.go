package framed_test

import (
	"io"
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/services/framed"
)

// Once warm, the last two stages allocate nothing, whatever the number of frames in a
// read. The count is of the whole process, client, server and runtime.
func TestNothingIsAllocatedPerFrame(t *testing.T) {
	for _, stage := range []string{"batched", "reactor"} {
		t.Run(stage, func(t *testing.T) { allocateNothing(t, stage) })
	}
}

func allocateNothing(t *testing.T, stage string) {
	conn := start(t, framed.Config{Stage: stage}).Dial(t)
	const frames = 100
	requests, answers := submits(frames), make([]byte, frames*framed.AckSize)
	round := func() {
		if _, err := conn.Write(requests); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(conn, answers); err != nil {
			t.Fatal(err)
		}
	}
	if allocs := testing.AllocsPerRun(300, round); allocs != 0 {
		t.Errorf("%v allocations for %d frames, want 0", allocs, frames)
	}
}

// An allocs profile of each stage names what its doc comment says, and no longer what
// the stage did away with.
func TestAllocsProfileNamesTheStagesCosts(t *testing.T) {
	const payload, decode, encode, write = "framed.readFrame", "framed.decodePacket", "bytes.Join", "encoding/binary.Write"
	all := []string{payload, decode, encode, write}
	want := map[string][]string{
		"raw":              all,
		"buffered-noflush": all,
		"buffered":         all,
		"pooled":           {payload, encode, write},
		"batched":          nil,
		"reactor":          nil,
	}
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		const connections, requests = 4, 2000
		r, sent := start(t, framed.Config{Stage: stage.Name}), submits(requests)
		var conns []*net.TCPConn
		for range connections {
			conns = append(conns, r.Dial(t))
		}
		// A site that allocates for every request shows far more than one object in a
		// hundred, one that does not shows a handful. It need not show all: the runtime
		// packs objects of under 16 bytes into blocks, and a profile counts a block once,
		// for the site that opened it. The length fields read and written share theirs in
		// proportions that change from connection to connection (20 to 80 % seen).
		named := allocators(connections*requests/100, func() {
			for _, conn := range conns {
				exchange(t, conn, sent)
			}
		})
		for _, cost := range all {
			got := slices.ContainsFunc(named, func(f string) bool { return strings.HasSuffix(f, cost) })
			if expected := slices.Contains(want[stage.Name], cost); got != expected {
				t.Errorf("allocs profile names %s: %v, want %v (it names %q)", cost, got, expected, named)
			}
		}
	})
}

// allocators returns the functions that themselves allocate at least atLeast objects
// during work, by an allocs profile with a rate of 1. Frames of the runtime and of
// internal packages are skipped, so that makeslice counts for its caller.
func allocators(atLeast int64, work func()) []string {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 1
	before := allocations()
	work()
	var named []string
	for f, n := range allocations() {
		if n-before[f] >= atLeast {
			named = append(named, f)
		}
	}
	return slices.Sorted(slices.Values(named))
}

func allocations() map[string]int64 {
	runtime.GC() // a profile shows allocations up to the last collection but one
	runtime.GC()
	var records []runtime.MemProfileRecord
	for n, ok := runtime.MemProfile(nil, true); !ok; {
		records = make([]runtime.MemProfileRecord, n+100)
		if n, ok = runtime.MemProfile(records, true); ok {
			records = records[:n]
		}
	}
	byFunction := make(map[string]int64)
	for _, r := range records {
		frames := runtime.CallersFrames(r.Stack())
		for frame, more := frames.Next(); ; frame, more = frames.Next() {
			hidden := strings.HasPrefix(frame.Function, "runtime.") || strings.HasPrefix(frame.Function, "internal/")
			if !hidden || !more {
				byFunction[frame.Function] += r.AllocObjects
				break
			}
		}
	}
	return byFunction
}
