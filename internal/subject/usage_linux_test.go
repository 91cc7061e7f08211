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
	a := newAccount(func() ([]int, error) { return []int{pid}, nil })
	// The former bearer of the number had used far more than its heir ever will.
	const former = 1 << 40
	a.live[pid] = &sample{Usage: Usage{Counters: Counters{CPU: former, ReadCalls: 7}}}
	u, err := a.read(depthCounters)
	if err != nil || u.CPU <= former || u.ReadCalls < 7 {
		t.Errorf("read %+v, %v; want more than %d", u.Counters, err, former)
	}
}
