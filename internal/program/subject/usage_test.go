package subject

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/sys/processes"
	"github.com/gohone/hone/internal/testkit/leaktest"
)

// The clock that hone reads agrees with what the subject's own getrusage says. It
// reads before and after, so that its figure must lie on either side.
func TestCPUAgreesWithGetrusage(t *testing.T) {
	leaktest.None(t)
	p := start(t, server(t, "127.0.0.1:{port}"), StartOptions{})
	before, err := p.Counters()
	if err != nil {
		t.Fatal(err)
	}
	own := time.Duration(number(t, tell(t, p, "burn 200")))
	after, err := p.Counters()
	if err != nil {
		t.Fatal(err)
	}
	if burnt := after.CPU - before.CPU; burnt < 200*time.Millisecond*99/100 {
		t.Errorf("saw %v of a burn of 200ms", burnt)
	}
	// getrusage counts microseconds; after it the subject only sends its answer.
	if after.CPU < own-time.Millisecond || after.CPU > own+own/10+20*time.Millisecond {
		t.Errorf("hone reads %v, the subject %v", after.CPU, own)
	}
}

// Processes below the main one count, and keep counting when they are gone.
func TestUsageCountsTheWholeTree(t *testing.T) {
	leaktest.None(t)
	p := start(t, server(t, "127.0.0.1:{port}"), StartOptions{})
	one, err := p.Usage()
	if err != nil || one.Processes != 1 {
		t.Fatalf("usage %+v, %v; want one process", one, err)
	}
	orphan := number(t, tell(t, p, "orphan"))
	two, err := p.Usage()
	if err != nil || two.Processes != 2 {
		t.Fatalf("usage %+v, %v; want two processes", two, err)
	}
	if two.RSS <= one.RSS || two.Threads <= one.Threads || two.CPU <= one.CPU || two.FDs <= one.FDs {
		t.Errorf("with a second process %+v, before %+v", two, one)
	}
	if two.RSS > two.PeakRSS || two.Voluntary < one.Voluntary || two.MinorFaults <= one.MinorFaults {
		t.Errorf("with a second process %+v, before %+v", two, one)
	}
	endProcess(t, orphan)
	await(t, "the orphan to end", func() bool { _, alive := processes.Name(orphan); return !alive })
	after, err := p.Usage()
	if err != nil || after.Processes != 1 {
		t.Fatalf("usage %+v, %v; want one process", after, err)
	}
	if after.CPU < two.CPU || after.MinorFaults < two.MinorFaults || after.PeakRSS < two.PeakRSS {
		t.Errorf("after the end of the second process %+v, before %+v", after, two)
	}
}

func TestCountersGrowWithCalls(t *testing.T) {
	leaktest.None(t)
	p := start(t, server(t, "127.0.0.1:{port}"), StartOptions{})
	const calls = 5000
	before, err := p.Counters()
	if err != nil {
		t.Fatal(err)
	}
	tell(t, p, fmt.Sprintf("calls %d", calls))
	after, err := p.Counters()
	if err != nil {
		t.Fatal(err)
	}
	// The command itself is read and answered, in a handful of calls.
	if made := after.WriteCalls - before.WriteCalls; made < calls || made > calls+100 {
		t.Errorf("counted %d write calls, the subject made %d and a few", made, calls)
	}
	if made := after.ReadCalls - before.ReadCalls; made < 1 || made > 100 {
		t.Errorf("counted %d read calls, the subject made a few", made)
	}
}

// The sums never go down, whatever asks, comes or goes.
func TestCPUIsMonotonic(t *testing.T) {
	leaktest.None(t)
	p := start(t, server(t, "127.0.0.1:{port}"), StartOptions{})
	stop := make(chan struct{})
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			var last usage.Counters
			for {
				now, err := p.Counters()
				if err != nil || now.CPU < last.CPU || now.WriteCalls < last.WriteCalls ||
					now.ReadCalls < last.ReadCalls {
					t.Errorf("counters %+v after %+v, %v", now, last, err)
					return
				}
				last = now
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	for range 5 {
		endProcess(t, number(t, tell(t, p, "orphan")))
	}
	tell(t, p, "burn 50")
	close(stop)
	group.Wait()
}

func BenchmarkCounters(b *testing.B) { benchmarkReading(b, usage.AllProcesses) }
func BenchmarkUsage(b *testing.B)    { benchmarkReading(b, usage.Everything) }

func benchmarkReading(b *testing.B, d usage.Depth) {
	p, err := Start(b.Context(), server(&testing.T{}, "127.0.0.1:{port}"), withGuard(StartOptions{}))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := p.read(d); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := p.Stop(b.Context()); err != nil {
		b.Fatal(err)
	}
}
