package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/prof"
)

func TestTheShareOfASiteRestsOnItsSamples(t *testing.T) {
	site := prof.Site{What: "main.run", File: "/x/prog/main.go", Line: 9}
	other := prof.Site{What: "main.idle"}
	for name, c := range map[string]struct {
		costs []prof.Cost
		want  []string
	}{
		"many samples": {[]prof.Cost{{Site: site, Share: 99.9, Samples: 1199, Of: 1200},
			{Site: other, Share: 0.1, Samples: 1, Of: 1200}},
			[]string{"100 % of CPU in main.run  prog/main.go:9  (1,199 of 1,200 samples)",
				"0 % of CPU in main.idle  (1 of 1,200 samples)"}},
		"at the limit": {[]prof.Cost{{Site: site, Share: 50, Samples: 15, Of: 30}},
			[]string{"50 % of CPU in main.run  prog/main.go:9  (15 of 30 samples)"}},
		"too few": {[]prof.Cost{{Site: site, Share: 50, Samples: 3, Of: 6}, {Site: other, Share: 33, Samples: 2, Of: 6},
			{Site: other, Share: 17, Samples: 1, Of: 6}},
			[]string{"3 of 6 samples of CPU in main.run  prog/main.go:9  (too few for shares)",
				"2 of 6 samples of CPU in main.idle  (too few for shares)"}},
		"one": {[]prof.Cost{{Site: other, Share: 100, Samples: 1, Of: 1}},
			[]string{"1 of 1 sample of CPU in main.idle  (too few for shares)"}},
		"not counted": {[]prof.Cost{{Site: site, Share: 41.4}}, []string{"41 % of CPU in main.run  prog/main.go:9"}},
		"none":        {nil, nil},
	} {
		if got := model.HotLines(c.costs, nil); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Where no finding shown is about a line of the program, the hottest line of it is shown as well.
func TestTheHottestLineStandsBesideFindingsOfTheMachine(t *testing.T) {
	r := runsOf("./a", "./b")[0]
	r.Hot = []prof.Cost{{Site: prof.Site{What: "work", Function: "main.work", File: "a/main.go", Line: 7}, Share: 40,
		Samples: 40, Of: 100}}
	withheld := advice.Finding{Rule: "cpu-withheld", Title: "other programs have the CPU"}
	line := advice.Finding{Rule: "compile-per-call", Title: "compiled",
		Place: code.Place{Function: "main.f", File: "a.go", Line: 3}}
	for name, c := range map[string]struct {
		found []advice.Finding
		want  bool
	}{
		"none": {nil, true}, "the machine": {[]advice.Finding{withheld}, true}, "a line": {[]advice.Finding{line}, false},
		"both": {[]advice.Finding{withheld, line}, false},
	} {
		text := runText(t, func(b *strings.Builder) error {
			return Run(b, r, &advice.Findings{Findings: c.found}, model.Brief)
		})
		if strings.Contains(text, "hot: 40 % of CPU in work") != c.want {
			t.Errorf("%s: want the hot line %v:\n%s", name, c.want, text)
		}
	}
}

// Messages that came together have no time between them.
func TestMessagesThatCameTogether(t *testing.T) {
	r := runsOf("./a", "./b")[0]
	r.CPUNanos = &record.Interval{Value: 1000}
	r.Streams = &record.Streams{Messages: 9, MessagesPerSecond: 3, Gaps: &record.Latency{Count: 9, P50: 1, P99: 1, Max: 1}}
	text := runText(t, func(b *strings.Builder) error { return Run(b, r, nil, model.Full) })
	if !strings.Contains(text, "0: they came together") || strings.Contains(text, "1.00 ns") {
		t.Errorf("said %s", text)
	}
}
