package demo

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"testing"
	"time"

	module "github.com/gohone/hone"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
)

// A step of a demo says what changes, what its measurement shows, and no share of three samples.
func TestADemoSaysWhatWasMeasured(t *testing.T) {
	tour := tours[0]
	step := leg{
		comparison: &record.Comparison{Contests: []record.Contest{{Verdicts: []judge.Verdict{{
			Measure: measure.CPU, A: 9000, B: 3000, Ratio: 1.0 / 3, Low: 0.32, High: 0.35, Conf: 0.95, Starts: 6,
			Pairs: 120,
		}}}}},
		baseline: []model.Row{{Name: "CPU per request", Text: "9.00 us"}},
		hot:      []prof.Cost{{Site: prof.Site{What: "main.run"}, Share: 100, Samples: 3, Of: 3}},
		write:    func(w io.Writer) error { _, err := fmt.Fprintln(w, "THE COMPARISON"); return err },
	}
	var b strings.Builder
	if err := writeLeg(&b, tour, "1 of 3", tour.rungs[0], tour.rungs[1], step); err != nil {
		t.Fatal(err)
	}
	text := b.String() + closing([]string{changed(tour, step.comparison)}, tour.startClock(time.Now))
	for _, want := range []string{
		"== 1 of 3\n", "    +  r, w := bufio.NewReader(p)", "raw: CPU per request 9.00 us\n",
		"3 of 3 samples of CPU in main.run", "THE COMPARISON\n",
		"for comparison, as published (on other machines): raw 185,000 requests/s\n",
		"  1. CPU per request 9.00 -> 3.00 us (-66.7 %)\n", "your turn: hone run ./cmd/server",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	step.comparison.Contests[0].Verdicts[0].Word = judge.Undecided
	if text := changed(tour, step.comparison); !strings.HasSuffix(text, "(-66.7 %), not decided in this time") {
		t.Error(text)
	}
	for _, canned := range []string{"finding", "100 %", "270,000"} {
		if strings.Contains(text, canned) {
			t.Errorf("says %q:\n%s", canned, text)
		}
	}
}

// What a demo shows as the change stands in the source of its service: the lines, and what each stage is.
func TestTheChangesOfADemoAreInTheSource(t *testing.T) {
	for _, tour := range tours {
		var source strings.Builder
		names, err := fs.Glob(module.Services, path.Join(tour.directory(), "*.go"))
		if err != nil || len(names) == 0 {
			t.Fatal(tour.name, names, err)
		}
		for _, name := range names {
			text, err := fs.ReadFile(module.Services, name)
			if err != nil {
				t.Fatal(err)
			}
			source.Write(text)
		}
		for _, r := range append(tour.rungs, tour.refused) {
			if r.stage != "" && !strings.Contains(tour.summaryOf(r.stage), ".go)") {
				t.Errorf("%s: no summary of stage %s", tour.name, r.stage)
			}
			for _, line := range r.diff {
				if !strings.Contains(source.String(), strings.TrimSpace(line[1:])) {
					t.Errorf("%s: the source has no line %q", tour.name, line)
				}
			}
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
		"chat naive": "80", "chat buffers": "50", "chat zlib-reset": "20", "havlak first": "25.05",
		"havlak slices": "2.26",
	} {
		if of[stage] != want {
			t.Errorf("%s: published %q, want %q", stage, of[stage], want)
		}
	}
}
