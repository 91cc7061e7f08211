package caller

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
)

// A client makes as many calls as it was asked for, on the connections it was asked for,
// and tells of the first failure.
func TestCalls(t *testing.T) {
	for name, c := range map[string]struct {
		reply   string
		err     error
		good    string
		failure string
	}{
		"right": {reply: Reply, good: "succeeded        100\nfailed           0\n"},
		"wrong": {reply: "moon", good: "succeeded        0\nfailed           100\n",
			failure: `reply is "moon", want "world"`},
		"failed": {err: errors.New("no luck"), good: "succeeded        0\nfailed           100\n",
			failure: "100 of 100 calls failed, the first: no luck"},
	} {
		t.Run(name, func(t *testing.T) {
			var calls atomic.Int64
			f := Framework{Dial: func(addr string, conns int) (func(int) (string, error), error) {
				if addr != "somewhere" || conns != 3 {
					t.Errorf("dialled %s %d times", addr, conns)
				}
				return func(int) (string, error) { calls.Add(1); return c.reply, c.err }, nil
			}}
			var out strings.Builder
			err := plan{addr: "somewhere", concurrency: 7, total: 100, conns: 3}.call(f, &out)
			if calls.Load() != 100 || !strings.Contains(out.String(), c.good) {
				t.Errorf("%d calls, report %q", calls.Load(), out.String())
			}
			if c.failure == "" && err != nil || c.failure != "" &&
				(err == nil || !strings.Contains(err.Error(), c.failure)) {
				t.Errorf("error %v, want %q", err, c.failure)
			}
		})
	}
}

func TestBadFlags(t *testing.T) {
	for _, args := range []string{"-mode both", "-conns 0", "-total 0", "-concurrency -1", "extra"} {
		if _, err := parse("test", strings.Fields(args)); err == nil {
			t.Errorf("%s: accepted", args)
		}
	}
}
