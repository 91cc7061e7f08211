package growth

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/growth/leaks"
	"github.com/gohone/hone/internal/insight/advice"
	documents "github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// named is the task of a kind.
func named(t *testing.T, name string, of trial) task {
	t.Helper()
	k, ok := leaks.Named(name)
	if !ok {
		t.Fatalf("no kind %q", name)
	}
	return task{k, of}
}

// says is a comparison with a verdict on a measure.
func says(m leaks.Measure, word judge.Word) record {
	return record{Compared: &compared{Blocks: 9 * time.Second, Verdicts: []judge.Verdict{{Measure: judge.Measure{Key: string(m), Name: string(m)}, Word: word}}}}
}

// finds is a comparison with a finding of growth.
func finds(word advice.ChangeWord) record {
	return record{Compared: &compared{Findings: []advice.Change{{Word: word, Title: "the live heap gains 1 kB per request", Measure: advice.Growing}}}}
}

// grows is a run with a row of growth; nothing grows without values.
func grows(heap, goroutines float64) record {
	if heap+goroutines == 0 {
		return record{Ran: &ran{}}
	}
	return record{Ran: &ran{&documents.Growth{HeapBytes: heap, Goroutines: goroutines}}}
}

// The right measure has to be shown, and what is not so is false.
func TestJudge(t *testing.T) {
	for what, c := range map[string]struct {
		kind  string
		trial trial
		said  record
		found bool
		wrong string
	}{
		"B keeps heap":                          {"map", leak, says(leaks.Heap, judge.Slower), true, ""},
		"nothing is shown":                      {"map", leak, says(leaks.Heap, judge.Undecided), false, ""},
		"A keeps heap":                          {"map", leak, says(leaks.Heap, judge.Faster), false, "A keeps more: growth"},
		"B keeps what it does not":              {"map", leak, says(leaks.Goroutines, judge.Slower), false, "B keeps more: goroutines"},
		"B keeps heap, too, of descriptors":     {"files", leak, says(leaks.Heap, judge.Slower), false, ""},
		"a finding that B has":                  {"map", leak, finds(advice.New), false, ""},
		"a finding that A has":                  {"map", leak, finds(advice.Gone), false, "growth, gone in B: the live heap gains 1 kB per request"},
		"equal services, B keeps":               {"map", equal, says(leaks.Heap, judge.Slower), false, "B keeps more: growth"},
		"equal services, A keeps":               {"map", equal, says(leaks.Heap, judge.Faster), false, "A keeps more: growth"},
		"equal services are the same":           {"map", equal, says(leaks.Heap, judge.Same), false, ""},
		"a decoy with a verdict":                {"cache", decoy, says(leaks.Heap, judge.Slower), false, "B keeps more: growth"},
		"a decoy with a finding":                {"cache", decoy, finds(advice.New), false, "growth, new in B: the live heap gains 1 kB per request"},
		"a run that grows":                      {"map", single, grows(1e3, 0), true, ""},
		"a run without a row":                   {"map", single, grows(0, 0), false, ""},
		"a run with a row of another measure":   {"map", single, grows(0, 1), false, "1 goroutines per request"},
		"a run of descriptors has heap":         {"files", single, grows(400, 0), true, ""},
		"a run of goroutines has heap only":     {"goroutine", single, grows(1e3, 0), false, ""},
		"a run of a decoy that is said to grow": {"cache", single, grows(1e3, 0), false, "the live heap grows by 1e+03 B per request"},
		"no result of a service that leaks":     {"map", leak, record{Failed: "invalid"}, false, ""},
	} {
		j, ok := judgeTrial(named(t, c.kind, c.trial), c.said)
		if !ok || j.Found != c.found || strings.Join(j.False, "; ") != c.wrong {
			t.Errorf("%s: judged %v, found %v, false %q", what, ok, j.Found, j.False)
		}
	}
}

// What has no result does not count as right.
func TestJudgeNothing(t *testing.T) {
	for _, c := range []struct {
		kind string
		of   trial
		said record
	}{{"map", leak, record{}}, {"map", equal, record{Failed: "invalid"}}, {"cache", decoy, record{Failed: "invalid"}}, {"cache", single, record{Failed: "invalid"}}} {
		if _, ok := judgeTrial(named(t, c.kind, c.of), c.said); ok {
			t.Errorf("%s, %s: judged", c.kind, c.of)
		}
	}
}

// All kinds have their trials, ten of them that of equal services, and half of both sorts are closed.
func TestTasks(t *testing.T) {
	n := map[trial]int{}
	for _, one := range tasks(leaks.All) {
		n[one.trial]++
	}
	if n[leak] < 12 || n[decoy] != 4 || n[equal] != equals || n[single] != len(leaks.All) {
		t.Errorf("%v", n)
	}
	hidden := map[bool]int{}
	for name, half := range halves("1") {
		if half == bed.HalfClosed {
			hidden[named(t, name, leak).Decoy()]++
		}
	}
	if hidden[false] != n[leak]/2 || hidden[true] != n[decoy]/2 {
		t.Errorf("%v are closed of %v", hidden, n)
	}
	if one, _ := leaks.Named("cache"); len(tasks([]leaks.Kind{one})) != 2 {
		t.Error("want a comparison and a run of one decoy")
	}
}

// A later session of another version measures again, and so does one after a failure.
func TestHas(t *testing.T) {
	session := func(version string) record { return record{Entry: bed.Entry{Session: &bed.Session{Hone: version}}} }
	done := has([]record{
		session("old"), {Kind: "map", Trial: leak}, session("new"), {Kind: "list", Trial: leak}, {Kind: "ring", Trial: leak, Failed: "invalid"},
	}, bed.OfVersion("new"))
	for kind, want := range map[string]bool{"map": false, "list": true, "ring": false} {
		if done[key{kind, leak}] != want {
			t.Errorf("%s: %v", kind, !want)
		}
	}
}

// The closed half has sums, and its kinds only if they are asked for.
func TestDocument(t *testing.T) {
	halfOf := map[string]string{"map": bed.HalfOpen, "list": bed.HalfClosed, "cache": bed.HalfOpen}
	var all []record
	for _, name := range []string{"map", "list"} {
		r := says(leaks.Heap, judge.Slower)
		r.Kind, r.Trial, r.Compared.Sentence = name, leak, "B keeps 1 kB of heap per request, A none"
		all = append(all, r)
	}
	mistaken := says(leaks.Heap, judge.Slower)
	mistaken.Kind, mistaken.Trial = "cache", decoy
	all = append(all, mistaken, record{Kind: "cache", Trial: single, Failed: "hone ended with 2\nwhy"})
	for _, shown := range []bool{false, true} {
		result := new(bed.Result)
		config{closed: shown}.write(result, last(all), halfOf)
		text := result.Text()
		for _, want := range []string{
			"open half of the kinds: it shows what B keeps, in the right measure: 1 of 1", "closed half of the kinds: it shows what B keeps, in the right measure: 1 of 1",
			"open half of the kinds: decoys of which that is said: 1 of 1", "after 9.0 s in the median of 1", "cache  single  hone ended with 2\n",
			"map, leak: 9.0 s: B keeps 1 kB of heap per request, A none",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("want %q in\n%s", want, text)
			}
		}
		if slices.Contains(strings.Fields(text), "list,") != shown {
			t.Errorf("closed %v:\n%s", shown, text)
		}
	}
}
