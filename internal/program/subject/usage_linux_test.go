package subject

import (
	"os"
	"slices"
	"testing"
	"time"
)

func FuzzParseKeys(f *testing.F) {
	f.Add([]byte("syscr: 10\nsyscw: 0\n"))
	f.Add([]byte("VmRSS:\t  1234 kB\nName:\tx\n:\n: 7"))
	f.Fuzz(func(t *testing.T, text []byte) {
		parseKeys(text, func(key string, _ uint64) {
			if slices.Contains([]byte(key), ':') || slices.Contains([]byte(key), '\n') {
				t.Errorf("key %q", key)
			}
		})
	})
}

// Both ways to find descendants agree, and neither loses an orphan.
func TestDescendants(t *testing.T) {
	noLeaks(t)
	p := start(t, server(t, "127.0.0.1:{port}"), StartOptions{Grace: 100 * time.Millisecond})
	orphan := number(t, tell(t, p, "orphan"))
	guard := p.guardPID()
	want := []int{p.PID(), orphan}
	slices.Sort(want)
	for name, got := range map[string][]int{
		"children files": descendants(guard, 0),
		"parents":        descendantsByParent(guard),
	} {
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("by %s: %v, want %v", name, got, want)
		}
	}
}

// A process number that the system has given away again does not lose the CPU time
// of its first bearer, nor count backwards.
func TestAccountSurvivesReuse(t *testing.T) {
	pid := os.Getpid() // the heir: a child just started may have used nothing yet
	a := newAccount(func() ([]int, error) { return []int{pid}, nil }, func() int { return 0 })
	// The former bearer of the number had used far more than its heir ever will.
	const former = 1 << 40
	a.live[pid] = &sample{Usage: Usage{Counters: Counters{CPU: former, ReadCalls: 7}}}
	u, err := a.read(depthCounters)
	if err != nil || u.CPU <= former || u.ReadCalls < 7 {
		t.Errorf("read %+v, %v; want more than %d", u.Counters, err, former)
	}
}

// Processes that come and go between two readings count, whichever process waits for them; and what hone saw of one of them while it
// lived does not count twice.
func TestShortChildrenCount(t *testing.T) {
	noLeaks(t)
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
					var u Usage
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
		var after Usage
		// A reading is short of a step of 10 ms for each of two clocks. Starting and ending a process is in hone's figure alone.
		await(t, kind+" to be counted", func() bool {
			after, err = p.Usage()
			return err != nil || after.AllCPU()-before.AllCPU() >= used-20*time.Millisecond
		})
		if got := after.AllCPU() - before.AllCPU(); err != nil || used < 5*burnerMillis*time.Millisecond || got > used+used/2+50*time.Millisecond {
			t.Errorf("%s: hone reads %v, they say %v (%v)", kind, got, used, err)
		}
		if after.Processes != 1 || after.RSS > 2*before.RSS {
			t.Errorf("%s: %+v, before %+v", kind, after, before)
		}
	}
	unseen := ProcessCPU{}
	for _, one := range p.CPUByProcess() {
		if one.Number == unseenNumber {
			unseen = one
		}
	}
	if unseen.CPU <= 0 || unseen.PID != 0 {
		t.Errorf("of children that no reading saw: %+v", unseen)
	}
}
