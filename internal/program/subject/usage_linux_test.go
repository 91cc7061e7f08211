package subject

import (
	"slices"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/sys/processes"
	"github.com/gohone/hone/internal/testkit/leaktest"
)

// An orphan is found among the descendants.
func TestDescendants(t *testing.T) {
	leaktest.None(t)
	p := start(t, server(t, "127.0.0.1:{port}"), StartOptions{Grace: 100 * time.Millisecond})
	orphan := number(t, tell(t, p, "orphan"))
	guard := p.guardPID()
	want := []int{p.PID(), orphan}
	slices.Sort(want)
	got := processes.Below(guard, 0)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Processes that come and go between two readings count, whichever process waits for them; and what hone saw of one of
// them while it lived does not count twice.
func TestShortChildrenCount(t *testing.T) {
	leaktest.None(t)
	p := start(t, server(t, "127.0.0.1:{port}"), StartOptions{})
	for _, kind := range []string{"children", "zombies", "grandchildren"} {
		before, err := p.Usage()
		if err != nil {
			t.Fatal(err)
		}
		stop, watched := make(chan struct{}), make(chan struct{})
		go func() { // until the children are over
			defer close(watched)
			for last := before.Counters; ; {
				now, err := p.KnownCounters()
				if err == nil && kind == "children" {
					var u usage.Reading
					u, err = p.Usage() // sees some of them
					now = u.Counters
				}
				if err != nil || now.AllCPU() < last.AllCPU() || now.WriteBytes < last.WriteBytes {
					t.Errorf("%s: %+v after %+v, %v", kind, now, last, err)
					return
				}
				last = now
				select {
				case <-stop:
					return
				default:
				}
			}
		}()
		used := time.Duration(number(t, tell(t, p, kind+" 5")))
		close(stop)
		<-watched
		var after usage.Reading
		// A reading is short of a step of 10 ms for each of two clocks. Starting and ending a process is in hone's
		// figure alone.
		await(t, kind+" to be counted", func() bool {
			after, err = p.Usage()
			return err != nil || after.AllCPU()-before.AllCPU() >= used-20*time.Millisecond
		})
		if got := after.AllCPU() - before.AllCPU(); err != nil || used < 5*burnerMillis*time.Millisecond ||
			got > used+used/2+50*time.Millisecond {
			t.Errorf("%s: hone reads %v, they say %v (%v)", kind, got, used, err)
		}
		if after.Processes != 1 || after.RSS > 2*before.RSS {
			t.Errorf("%s: %+v, before %+v", kind, after, before)
		}
	}
	unseen := usage.ProcessCPU{}
	for _, one := range p.CPUByProcess() {
		if one.Number == usage.ShortLived {
			unseen = one
		}
	}
	if unseen.CPU <= 0 || unseen.PID != 0 {
		t.Errorf("of children that no reading saw: %+v", unseen)
	}
}
