package read

import (
	"strings"
	"testing"
	"time"
)

func TestReadReplay(t *testing.T) {
	got, err := readReplay("f", strings.NewReader("# head\n2026-01-31T12:00:00.5Z GET /\n\n2026-01-31T12:00:01.5Z,x\n"),
		2)
	if err != nil || len(got) != 2 || got[0] != 0 || (got[1]-500*time.Millisecond).Abs() > time.Microsecond {
		t.Errorf("got %v, %v", got, err)
	}
	for text, want := range map[string]string{
		"2\n1\n": "f:2: the moment lies before", "": "f holds no moments", "-1\n": "f:1: \"-1\" is not a moment",
		"NaN": "f:1", "1\nx y\n": "f:2: \"x\" is neither",
	} {
		if _, err := readReplay("f", strings.NewReader(text), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if _, err := readReplay("f", strings.NewReader("1\n"), 0); err == nil {
		t.Error("a speed of 0 is accepted")
	}
}

// Whatever the text, moments ascend from 0.
func FuzzReadReplay(f *testing.F) {
	f.Add("0\n1.5\n", 1.0)
	f.Add("2026-01-31T12:00:00Z\n", 2.0)
	f.Add("1e9,\n9999999999 x", 1e-3)
	f.Fuzz(func(t *testing.T, text string, speed float64) {
		all, err := readReplay("f", strings.NewReader(text), speed)
		if err != nil {
			return
		}
		last := time.Duration(0)
		for _, at := range all {
			if at < last {
				t.Fatalf("%v behind %v", at, last)
			}
			last = at
		}
		if all[0] != 0 {
			t.Fatalf("begins at %v", all[0])
		}
	})
}
