package usage

import (
	"os"
	"slices"
	"testing"
	"time"
)

// Of very many processes that ended the oldest become one, and no time is lost.
func TestManyEndedProcesses(t *testing.T) {
	a := NewAccount(nil, nil)
	const n = 5 * mostBuried
	for pid := 1; pid <= n; pid++ {
		s := &sample{number: pid}
		s.CPU = time.Millisecond
		a.bury(pid, s)
	}
	var sum time.Duration
	all := a.ByProcess()
	for _, p := range all {
		sum += p.CPU
	}
	if len(all) > 2*mostBuried || sum != n*time.Millisecond {
		t.Errorf("%d entries of %v in all, want %v", len(all), sum, n*time.Millisecond)
	}
}

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

// A process number that the system has given away again does not lose the CPU time
// of its first bearer, nor count backwards.
func TestAccountSurvivesReuse(t *testing.T) {
	pid := os.Getpid() // the heir: a child just started may have used nothing yet
	a := NewAccount(func() ([]int, error) { return []int{pid}, nil }, func() int { return 0 })
	// The former bearer of the number had used far more than its heir ever will.
	const former = 1 << 40
	a.live[pid] = &sample{Reading: Reading{Counters: Counters{CPU: former, ReadCalls: 7}}}
	u, err := a.Read(AllProcesses)
	if err != nil || u.CPU <= former || u.ReadCalls < 7 {
		t.Errorf("read %+v, %v; want more than %d", u.Counters, err, former)
	}
}
