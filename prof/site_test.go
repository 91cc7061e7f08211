package prof

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/proftest"
)

// netRead is what lies below a Read of a TCP connection on Linux, Go 1.26.
const netRead = "internal/runtime/syscall/linux.Syscall6 < syscall.RawSyscall6 < syscall.Syscall < syscall.read + syscall.Read" +
	" < internal/poll.ignoringEINTRIO + internal/poll.(*FD).Read < net.(*netFD).Read < net.(*conn).Read"

func TestFoldStackIntoSite(t *testing.T) {
	const raw = "example.com/framed.rawServe@/src/framed/raw.go:41"
	inRaw := func(what string) Site { return Site{what, "example.com/framed.rawServe", "/src/framed/raw.go", 41} }
	for _, c := range []struct {
		name, stack string
		want        Site
	}{
		{"a system call of the user's own read", netRead + " < " + raw + " < main.main@/src/main.go:9",
			inRaw("Syscall under net.(*conn).Read")},
		{"the same through the wrappers of the standard library",
			netRead + " < bufio.(*Reader).fill < bufio.(*Reader).Read < io.ReadAtLeast < io.ReadFull < encoding/binary.Read < " + raw,
			inRaw("Syscall under net.(*conn).Read")},
		{"a file", "syscall.Syscall < syscall.write < syscall.Write < internal/poll.(*FD).Write < os.(*File).Write < log.(*Logger).output < log.Printf < " + raw,
			inRaw("Syscall under os.(*File).Write")},
		{"a raw system call by the user",
			"internal/runtime/syscall/linux.Syscall6 < syscall.RawSyscall6 < example.com/framed.poll@/src/framed/poll.go:7",
			Site{"Syscall under framed.poll", "example.com/framed.poll", "/src/framed/poll.go", 7}},
		{"the runtime's own, on behalf of the user",
			"internal/runtime/syscall/linux.Syscall6 < runtime.sysThing < runtime.chansend1 < " + raw,
			inRaw("Syscall under runtime.chansend1")},
		{"futex is the scheduler's, not the user's system call",
			"runtime.futex < runtime.futexwakeup < runtime.goready < runtime.chansend < runtime.chansend1 < " + raw,
			inRaw("runtime.chansend1")},
		{"own time, in an inlined frame", "example.com/framed.(*peer).size@/src/framed/peer.go:3 + " + raw,
			Site{"framed.(*peer).size", "example.com/framed.(*peer).size", "/src/framed/peer.go", 3}},
		{"own time, at a signal of the runtime", "runtime.asyncPreempt < " + raw, inRaw("framed.rawServe")},
		{"the standard function that the user called, not the one that burns", "runtime.memmove < bytes.Join < " + raw,
			inRaw("bytes.Join")},
		{"an allocation by the user",
			"runtime.nextFreeFast + runtime.mallocgcSmallScanNoHeader < runtime.mallocgc < runtime.newobject < " + raw,
			inRaw("allocation (runtime.mallocgc)")},
		{"an allocation inside of a standard function", "runtime.mallocgc < runtime.makeslice < bytes.Join < " + raw,
			inRaw("bytes.Join")},
		{"growing a slice without allocating", "runtime.growslice < " + raw,
			inRaw("runtime.growslice")},
		{"an allocation that is made to help the collector",
			"runtime.gcDrainN < runtime.gcAssistAlloc1 < runtime.gcAssistAlloc < runtime.mallocgc < runtime.makeslice < bytes.Join < " + raw,
			inRaw("garbage collector assist (runtime.gcAssistAlloc)")},
		{"a dependency is the user's code",
			"compress/flate.(*compressor).deflate < github.com/x/zip.(*W).Close@/mod/zip/w.go:5 < " + raw,
			Site{"compress/flate.(*compressor).deflate", "github.com/x/zip.(*W).Close", "/mod/zip/w.go", 5}},
		{"the collector", "runtime.scanObject < runtime.gcDrain < runtime.systemstack < runtime.gcBgMarkWorker",
			Site{What: "garbage collector (runtime.gcBgMarkWorker)"}},
		{"the sweeper", "runtime.sweepone < runtime.bgsweep", Site{What: "garbage collector (runtime.bgsweep)"}},
		{"looking for work",
			"runtime.futex < runtime.notesleep < runtime.stopm < runtime.findRunnable < runtime.schedule < runtime.park_m < runtime.mcall", Site{What: "scheduler (runtime.mcall)"}},
		{"polling the network",
			"internal/runtime/syscall/linux.Syscall6 < internal/runtime/syscall/linux.EpollWait < runtime.netpoll < runtime.findRunnable < runtime.schedule < runtime.mcall", Site{What: "scheduler (runtime.mcall)"}},
		{"parking", "runtime.casgstatus < runtime.park_m < runtime.mcall", Site{What: "scheduler (runtime.mcall)"}},
		{"the monitor", "runtime.usleep < runtime.sysmon < runtime.mstart1 < runtime.mstart",
			Site{What: "monitor thread (runtime.sysmon)"}},
		{"growing a stack", "runtime.copystack < runtime.newstack < runtime.morestack",
			Site{What: "stack growth (runtime.newstack)"}},
		{"another root of the runtime", "runtime.runfinq", Site{What: "runtime.runfinq"}},
		{"assembly without a caller", "memeqbody", Site{What: "memeqbody"}},
		{"the standard library's own goroutine", netRead +
			" < net/http.(*connReader).Read < net/http.(*conn).serve@/go/src/net/http/server.go:2000",
			Site{"Syscall under net.(*conn).Read", "net/http.(*conn).serve", "/go/src/net/http/server.go", 2000}},
	} {
		p := proftest.BuildCPU().Ticks(1, c.stack).P
		got, observer := (&SiteFolder{}).Fold(p.Sample[0])
		if observer || got != c.want {
			t.Errorf("%s:\n got %+v (observer %v)\nwant %+v", c.name, got, observer, c.want)
		}
	}
}

func TestFoldSetsTheObserverApart(t *testing.T) {
	for stack, want := range map[string]bool{
		"runtime.memmove < runtime/pprof.(*profileBuilder).build < runtime/pprof.profileWriter":  true,
		netRead + " < bufio.(*Reader).Peek < main.(*honeProbeServer).read < main.honeProbeServe": true,
		"syscall.Syscall < net.(*conn).Write < main.init.0 < main.honeProbeStart.func1":          true,
		"runtime.memmove < example.com/hone/probe.honeProbeCounters":                             true,
		"compress/gzip.(*Writer).Write < net/http/pprof.Profile < net/http.(*conn).serve":        true,
		"main.work < runtime/pprof.Do < main.main":                                               false,
		"main.honeycomb < main.main":             false,
		"example.com/cars.honeProbe < main.main": false,
		"runtime.memmove < main.handle < net/http.HandlerFunc.ServeHTTP < net/http.(*conn).serve":    false,
		"runtime.scanObject < runtime.gcDrain < runtime.systemstack < runtime.gcBgMarkWorker":        false,
		"runtime.findRunnable < runtime.schedule < runtime.park_m < runtime.mcall":                   false,
		"main.step < " + strings.Repeat("main.recur < ", 100) + "main.honeProbeDeepDown < main.main": true,
	} {
		p := proftest.BuildCPU().Ticks(1, stack).P
		if _, got := (&SiteFolder{}).Fold(p.Sample[0]); got != want {
			t.Errorf("%s: observer %v, want %v", stack, got, want)
		}
	}
}

func TestFoldWithoutSymbols(t *testing.T) {
	p := proftest.BuildCPU().Ticks(1, "main.f").P
	p.Sample[0].Location[0].Line = nil
	if got, _ := (&SiteFolder{}).Fold(p.Sample[0]); got.What != "<unknown>" {
		t.Errorf("a location without symbols is %q", got.What)
	}
	p.Sample[0].Location = nil
	if got, _ := (&SiteFolder{}).Fold(p.Sample[0]); got.What != "runtime (no stack)" {
		t.Errorf("a sample without a stack is %q", got.What)
	}
}
