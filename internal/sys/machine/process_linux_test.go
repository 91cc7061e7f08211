package machine

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestParseProcessStat(t *testing.T) {
	s, err := parseProcessStat("17 (a) R 1 ) S 4 17 17 0 -1 4194560 123 0 5 0 7 3 40 2 20 0 6 0 99 0 0\n")
	if want := (ProcessStat{"a) R 1 ", 'S', 4, 123, 5, 420 * time.Millisecond, 99}); err != nil || s != want {
		t.Errorf("parsed %+v, %v; want %+v", s, err, want)
	}
	// The name of a program may look like the rest of the line.
	s, err = parseProcessStat("12 (a) Z 9 (b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 98765 20 21")
	if s.State != 'S' || s.Born != 98765 || err != nil {
		t.Errorf("%+v, %v", s, err)
	}
	own, err := ReadProcessStat(os.Getpid())
	if err != nil || own.Parent != os.Getppid() || own.State == 0 || own.Minor == 0 {
		t.Errorf("own stat %+v, %v", own, err)
	}
	for _, bad := range []string{"", "1 (x", ") (", "1 (x) S 1", "1 (x) S y 1 1 0 -1 0 1 0 1",
		"1 (x) S 4 17 17 0 -1 4194560 123 0 5 0 7 3"} {
		if s, err := parseProcessStat(bad); err == nil {
			t.Errorf("parseProcessStat(%q) = %+v", bad, s)
		}
	}
}

func FuzzParseProcessStat(f *testing.F) {
	f.Add("17 (a) R 1 ) S 4 17 17 0 -1 4194560 123 0 5 0 7 3 0 0 20 0 6 0 99")
	f.Add("12 (a b) c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 98765 20 21")
	f.Add("12 (cat) Z 1 2")
	f.Add("1 (x) S y 1 1 0 -1 0 1 0 1")
	f.Add(")(")
	f.Add(")")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseProcessStat(text)
		if err == nil && !strings.Contains(text, "("+s.Name+")") {
			t.Errorf("%q: name %q", text, s.Name)
		}
		if (err == nil) != (s.State != 0) {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	})
}
