package main

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
)

// A step of a demo says what its measurement shows, and no share of three samples.
func TestADemoSaysWhatWasMeasured(t *testing.T) {
	tour := tours[0]
	step := leg{
		comparison: &lab.ComparisonRecord{Contests: []lab.Contest{{Verdicts: []judge.Verdict{{
			Measure: measure.CPU, A: 9000, B: 3000, Ratio: 1.0 / 3, Low: 0.32, High: 0.35, Conf: 0.95, Starts: 6, Pairs: 120,
		}}}}},
		hot:   []prof.Cost{{Site: prof.Site{What: "main.run"}, Share: 100, Samples: 3, Of: 3}},
		costs: "5 garbage collections",
		write: func(w io.Writer) error { _, err := fmt.Fprintln(w, "THE COMPARISON"); return err },
	}
	var b strings.Builder
	if err := writeLeg(&b, tour, "1/2", tour.rungs[0], tour.rungs[1], step); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"measured: 5 garbage collections\n", "3 of 3 samples of CPU in main.run", "THE COMPARISON\n",
		"here, raw -> buffered: CPU per request 9.00 -> 3.00 us (", "6 starts, 120 pairs", "published, on other machines: raw 185,000 requests/s\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	for _, canned := range []string{"finding", "100 %", "270,000"} {
		if strings.Contains(text, canned) {
			t.Errorf("says %q:\n%s", canned, text)
		}
	}
}

// A published figure stands at the stage that it was published for.
func TestPublishedFiguresAreOfTheirStages(t *testing.T) {
	of := map[string]string{}
	for _, tour := range tours {
		for _, r := range append(tour.rungs, tour.refused) {
			if r.published != "" {
				of[tour.name+" "+r.stage] = strings.Fields(r.published)[0]
			}
		}
	}
	for stage, want := range map[string]string{
		"framed raw": "185,000", "framed buffered": "", "framed buffered-noflush": "270,000",
		"rpc naive": "", "rpc pooled": "75,374", "visits start": "5,403", "visits fprintf": "6,325",
		"chat naive": "80", "chat buffers": "50", "chat zlib-reset": "20", "havlak first": "25.05", "havlak slices": "2.26",
	} {
		if of[stage] != want {
			t.Errorf("%s: published %q, want %q", stage, of[stage], want)
		}
	}
}
