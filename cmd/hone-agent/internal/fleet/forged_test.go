package fleet

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/load"
)

// A slice that an agent sends between turns has the bounds of one in a file: it takes no memory that it only claims,
// and does not run backwards.
func TestForgedSlicesEndASession(t *testing.T) {
	t.Parallel()
	line := func(change func(*packed.Slice)) string {
		h := hdrhistogram.New(1, int64(time.Minute), 3)
		if err := h.RecordValue(5); err != nil {
			t.Fatal(err)
		}
		s, err := packed.Of(load.Slice{Duration: time.Second, Latencies: load.Latencies{Service: h}})
		if err != nil {
			t.Fatal(err)
		}
		change(&s)
		raw, err := json.Marshal(turnLine{Slice: &s})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw) + "\n"
	}
	wide, err := load.EncodeHistogram(hdrhistogram.New(1, int64(100*24*time.Hour), 3))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text string
		bad  bool
	}{
		"as sent":   {line(func(*packed.Slice) {}), false},
		"wide":      {line(func(s *packed.Slice) { s.Service = packed.Histogram(wide) }), true},
		"backwards": {line(func(s *packed.Slice) { s.Duration = -1 }), true},
		"no packed": {line(func(s *packed.Slice) { s.Age = "AAAA" }), true},
		"no JSON":   {"next: rm -rf\n", true},
		"too many":  {strings.Repeat(line(func(*packed.Slice) {}), 20), false},
	} {
		machine := cluster.NewCoordinator("r", nil, nil, 1, 1)
		machine.Send = func(cluster.Order) {}
		s := &Session{
			group: &Group{agents: []cluster.Hello{{ID: "a", Name: "a"}}}, test: &test{machine: machine},
			rest: map[string][]byte{}, current: &turnUnderWay{waiting: map[string][]load.Slice{}},
		}
		if name == "too many" {
			s.current.waiting["a"], c.bad = make([]load.Slice, maxWaiting-3), true
		}
		s.hear("a", []byte(c.text))
		if (s.broken != nil) != c.bad {
			t.Errorf("%s: %v", name, s.broken)
		}
		if n := len(s.current.waiting["a"]); n > maxWaiting {
			t.Errorf("%s: %d slices wait", name, n)
		}
	}
}
