package subject

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	s, err := parseStat("17 (a) R 1 ) S 4 17 17 0 -1 4194560 123 0 5 0 7 3 0 0 20 0 6 0 99 0 0\n")
	if want := (procStat{"a) R 1 ", 'S', 4, 123, 5, 99}); err != nil || s != want {
		t.Errorf("parsed %+v, %v; want %+v", s, err, want)
	}
	own, err := readStat(os.Getpid())
	if err != nil || own.parent != os.Getppid() || own.state == 0 || own.minor == 0 {
		t.Errorf("own stat %+v, %v", own, err)
	}
	for _, bad := range []string{"", "1 (x", ") (", "1 (x) S 1", "1 (x) S y 1 1 0 -1 0 1 0 1", "1 (x) S 4 17 17 0 -1 4194560 123 0 5 0 7 3"} {
		if s, err := parseStat(bad); err == nil {
			t.Errorf("parseStat(%q) = %+v", bad, s)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add("17 (a) R 1 ) S 4 17 17 0 -1 4194560 123 0 5 0 7 3 0 0 20 0 6 0 99")
	f.Add("1 (x) S y 1 1 0 -1 0 1 0 1")
	f.Add(")(")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseStat(text)
		if err == nil && !strings.Contains(text, "("+s.name+")") {
			t.Errorf("%q: name %q", text, s.name)
		}
	})
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
