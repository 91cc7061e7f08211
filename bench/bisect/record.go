package bisect

import (
	"fmt"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/honecli"
)

// resultsSchema is that of the file of results: JSON lines, each a record.
const resultsSchema = "hone.bisections/1"

// record is a search, the window or a calibration of a repository, or the session that the next ones belong to.
type record struct {
	bed.Entry
	Repo   string        `json:"repo,omitempty"`
	Window *window       `json:"window,omitempty"`
	Slope  *corpus.Slope `json:"slope,omitempty"`
	// Draw is what was planted, of so many iterations if it is time, and Answer what hone said.
	Draw       *draw   `json:"draw,omitempty"`
	Iterations int     `json:"iterations,omitempty"`
	Answer     *answer `json:"answer,omitempty"`
}

// answer is what hone bisect said of a history.
type answer struct {
	// Stopped is its word for the end of the search, or one of ours.
	Stopped string `json:"stopped"`
	// Places are those of the commits that it named, Right whether they are right.
	Places []int `json:"places,omitempty"`
	Right  bool  `json:"right"`
	// Confirmed, Ratio and Low to High are of the commit against the one before; High is 0 without an interval.
	Confirmed bool    `json:"confirmed,omitempty"`
	Ratio     float64 `json:"ratio,omitempty"`
	Low       float64 `json:"low,omitempty"`
	High      float64 `json:"high,omitempty"`
	// Whole is the ratio of the ends.
	Whole float64 `json:"whole,omitempty"`
	// Quiet commits change nothing that is built. Skipped are the probes that could not be measured.
	Quiet   int `json:"quiet,omitempty"`
	Probes  int `json:"probes"`
	Skipped int `json:"skipped,omitempty"`
	// Seconds are of the whole search, Probing of the probes.
	Seconds float64 `json:"s"`
	Probing float64 `json:"probes_s,omitempty"`
	Reason  string  `json:"reason,omitempty"`
}

// The words for the end of a search: hone's for no difference (internal/conduct/bisect), and ours where it printed no answer.
const (
	nothing  = "nothing to find"
	timedOut = "time limit"
	failed   = "failed"
)

// read reads what hone said. place has the place of each commit.
func (a *answer) read(b honecli.Bisection, place map[string]int) {
	a.Stopped, a.Quiet, a.Probes, a.Seconds = b.Stopped, b.Quiet, len(b.Probes), b.Elapsed.Seconds()
	for _, p := range b.Probes {
		a.Probing += p.Took.Seconds()
		if p.Skipped != "" {
			a.Skipped++
		}
	}
	if b.Whole != nil && b.Whole.Verdict != nil {
		a.Whole = b.Whole.Verdict.Ratio
	}
	if len(b.Steps) == 0 {
		return
	}
	step := b.Steps[0]
	for _, c := range step.Commits {
		a.Places = append(a.Places, place[c.Hash])
	}
	if v := step.Verdict; v != nil {
		a.Confirmed, a.Ratio = v.Word.Different(), v.Ratio
		if v.Bounded() {
			a.Low, a.High = v.Low, v.High
		}
	}
}

// String is a record as progress shows it.
func (r record) String() string {
	switch {
	case r.Window != nil && r.Window.Reason != "":
		return r.Window.Reason
	case r.Window != nil:
		return fmt.Sprintf("%d commits, their ends %.4f (%.4f to %.4f)", r.Window.Commits, r.Window.Said.Ratio, r.Window.Said.Low, r.Window.Said.High)
	case r.Slope != nil:
		return fmt.Sprintf("%d iterations: %v", r.Slope.Iterations, r.Slope.Ratio)
	}
	return fmt.Sprintf("%s: %s; %s", r.Draw, r.Answer, map[bool]string{true: "right", false: "WRONG"}[r.Answer.Right])
}

// String is what is planted.
func (d draw) String() string {
	text := fmt.Sprintf("%d commits, nothing planted", d.Commits)
	if d.Size > 0 {
		text = fmt.Sprintf("%d commits, %s at %d", d.Commits, d.change(d.Size), d.At)
	}
	if d.Second != 0 {
		text += fmt.Sprintf(", %s at %d", d.change(d.Second), d.SecondAt)
	}
	if d.Broken > 0 {
		text += fmt.Sprintf(", %d do not build from %d on", d.Broken, d.BrokenFrom)
	}
	return text
}

// change is a size as people read it.
func (d draw) change(size float64) string {
	if d.Measure == "allocs" {
		return fmt.Sprintf("%s %+.0f", d.Measure, size)
	}
	return fmt.Sprintf("%s %+.1f %%", d.Measure, 100*size)
}

// String is what hone said.
func (a answer) String() string {
	return fmt.Sprintf("%s %v, %.4f (%.4f to %.4f), ends %.4f, %d probes, %.0f s %s", a.Stopped, a.Places, a.Ratio, a.Low, a.High, a.Whole, a.Probes, a.Seconds, a.Reason)
}

// windowOf is the window of a repository; nil if none was looked for yet.
func windowOf(records []record, repo string) (w *window) {
	for _, r := range records {
		if r.Window != nil && r.Repo == repo {
			w = r.Window
		}
	}
	return w
}

// slopeOf is the calibration, if it is of a repository.
func (r record) slopeOf(repo string) *corpus.Slope {
	if r.Repo != repo {
		return nil
	}
	return r.Slope
}
