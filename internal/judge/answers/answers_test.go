package answers

import (
	"fmt"
	"strings"
	"testing"
)

// answering is two starts of a variant that answers so, 32 times per start; n counts within one.
func answering(answer func(start, n int) Answer) []Answer {
	var all []Answer
	for start := 1; start <= 2; start++ {
		for n := range 32 {
			a := answer(start, n)
			a.Start = start
			if a.Code == 0 {
				a.Code = 200
			}
			all = append(all, a)
		}
	}
	return all
}

func TestCompare(t *testing.T) {
	fixed := func(int, int) Answer {
		return Answer{What: "GET /", Length: 100, Content: 1, Fields: map[string]uint64{"Content-Type": 1}}
	}
	with := func(change func(a *Answer, n int)) func(int, int) Answer {
		return func(start, n int) Answer {
			a := fixed(start, n)
			change(&a, n)
			return a
		}
	}
	counter := with(func(a *Answer, n int) { a.Content, a.Length = uint64(n), 100+int64(n%3) })
	perStart := func(start, n int) Answer { return Answer{Length: 100, Content: uint64(start)} }
	rows := with(func(a *Answer, n int) { a.Request, a.Content = uint64(n%8), uint64(n%8) })
	for _, c := range []struct {
		name     string
		a, b     func(start, n int) Answer
		volatile bool
		want     string
	}{
		{"the same", fixed, fixed, false, "same (64 compared, 0 differ)"},
		{"empty", fixed, with(func(a *Answer, _ int) { a.Length, a.Content = 0, 9 }), false, "100 % empty"},
		{"half of each", fixed, with(func(a *Answer, _ int) { a.Length, a.Content = 50, 9 }), false, "100 % shorter"},
		{"longer", fixed, with(func(a *Answer, _ int) { a.Length, a.Content = 150, 9 }), false, "100 % longer"},
		{"a quarter has another status", fixed, with(func(a *Answer, n int) {
			if n%4 == 0 {
				a.Code, a.Length = 204, 0
			}
		}), false, "25 % other status"},
		{"other content", fixed, with(func(a *Answer, _ int) { a.Content = 9 }), false, "100 % other content"},
		{"other content of volatile bodies", fixed, with(func(a *Answer, _ int) { a.Content = 9 }), true,
			"same (64 compared, 0 differ; bodies differ by nature: by status, header and length)"},
		{"other value of a field", fixed, with(func(a *Answer,
			_ int) {
			a.Fields = map[string]uint64{"Content-Type": 2}
		}), false, "100 % other header"},
		{"a field is missing", fixed, with(func(a *Answer, _ int) { a.Fields = nil }), false, "100 % other header"},
		{"a new field", fixed, with(func(a *Answer, _ int) { a.Fields = map[string]uint64{"Content-Type": 1, "X": 1} }),
			false, "100 % other header"},
		{"one answer in 64", fixed, with(func(a *Answer, n int) {}), false, "same (64 compared, 0 differ)"},
		{"both count", counter, counter, false,
			"same (64 compared, 0 differ; bodies differ by nature: by status, header and length)"},
		{"the counter has more digits", counter, with(func(a *Answer, n int) { a.Content, a.Length = uint64(n), 104 }),
			false, "same (64 compared, 0 differ; bodies differ by nature: by status, header and length)"},
		{"the counter stands still", counter, fixed, false,
			"always the same, where A's change from request to request"},
		{"half of a counter", counter, with(func(a *Answer, n int) { a.Content, a.Length = uint64(100+n), 50 }), false,
			"100 % shorter"},
		{"each process has its own body", perStart, perStart, false,
			"same (64 compared, 0 differ; bodies differ by nature: by status, header and length)"},
		{"different requests", rows, rows, false, "same (64 compared, 0 differ)"},
		{"one answer for all requests", rows, with(func(a *Answer, n int) { a.Request = uint64(n % 8) }), false,
			"88 % other content, one body for 8 different requests"},
		{"other requests", rows, with(func(a *Answer, n int) { a.Request = 99 }), false,
			"not compared: this takes a request that A answers in two starts and B in one; there was none"},
	} {
		got := Compare(answering(c.a), answering(c.b), c.volatile)
		if got.String() != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got.Same != (strings.HasPrefix(c.want, "same") || got.Compared == 0) {
			t.Errorf("%s: same is %v for %q", c.name, got.Same, got)
		}
	}
}

// One answer that differs, such as at the change of a minute, is no finding, but it is counted.
func TestRareDifferenceOfAnswers(t *testing.T) {
	same := func(int, int) Answer { return Answer{What: "GET /", Length: 10, Content: 1} }
	for differing, want := range map[int]bool{0: true, 1: true, 2: false} {
		b := answering(same)
		for i := range differing {
			b[i].Content = 2
		}
		got := Compare(answering(same), b, false)
		if got.Same != want || len(got.Differences) != min(differing, 1) {
			t.Errorf("%d of %d differ: %+v", differing, len(b), got)
		}
		if differing > 0 && got.Example() != "GET /: other 10 bytes" {
			t.Errorf("example %q", got.Example())
		}
	}
}

// A request that A answered in one start only says nothing: its answer may be drawn at the start.
func TestAnswersOfOneStartAreNotCompared(t *testing.T) {
	a := []Answer{{Start: 1, Content: 1}, {Start: 1, Content: 1}}
	if got := Compare(a, []Answer{{Start: 1, Content: 2}}, false); got.Compared != 0 || !got.Same {
		t.Errorf("compared %+v", got)
	}
	if got := fmt.Sprint(Compare(nil, nil, false)); !strings.HasPrefix(got, "not compared") {
		t.Error(got)
	}
}
