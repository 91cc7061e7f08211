package series

import (
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/text/inputs"
)

const (
	// skew is how far the clocks of two machines may be apart before it is said: what Kerberos allows (RFC 4120,
	// section 10, "clockskew").
	skew = 5 * time.Minute
	// longestJob is how long two jobs may write side by side: a job of GitHub's own runners ends after 6 hours.
	longestJob = 6 * time.Hour
)

// impossible says why a point cannot be one, "" for nothing. A store neither writes nor shows such a point.
func impossible(p Point) string {
	switch {
	case p.Branch == "":
		return "the point names no branch"
	case p.Subject == "":
		return "the point names no subject"
	case p.Commit.Hash == "":
		return "the point names no commit"
	}
	if n := p.number(); n > inputs.SeriesLineValues.Most { // a short line may have any number
		return inputs.SeriesLineValues.Beyond("").Error()
	}
	for _, g := range p.Unchanged {
		if slices.Contains(g.Measures, "") {
			return "values that are unchanged name no measure"
		}
	}
	for _, v := range p.Values {
		switch {
		case v.Measure == "":
			return fmt.Sprintf("a value of %s names no measure", quoted(v.Name))
		case v.Ratio < 0 || v.Low < 0 || v.High < 0:
			return fmt.Sprintf("%s of %s has a negative ratio", quoted(v.Measure), quoted(v.Name))
		case v.Low > 0 && v.High > 0 && v.Low > v.High:
			return fmt.Sprintf("%s of %s has an interval that ends before it begins", quoted(v.Measure), quoted(v.Name))
		case v.Confidence < 0 || v.Confidence > 1:
			return fmt.Sprintf("%s of %s has a confidence of %v", quoted(v.Measure), quoted(v.Name), v.Confidence)
		}
	}
	return ""
}

// chain is what the points of one chain have in common.
type chain struct{ branch, subject string }

// measurement is what only one point should be of. A commit may have one against the point before, one against the
// anchor, and one that was imported.
type measurement struct {
	chain
	commit   string
	anchor   bool
	imported bool
}

// place is a line of a file.
type place struct {
	file string
	line int
}

// doubts are what points of one store show together. Each point is shown all the same.
type doubts struct {
	commits map[measurement]place
	newest  map[chain]newest
}

type newest struct {
	at time.Time
	place
}

func newDoubts() *doubts { return &doubts{map[measurement]place{}, map[chain]newest{}} }

// about says what is doubtful about the next point.
func (d *doubts) about(p Point, here place) (reasons []string) {
	imported := p.Imported != ""
	in := chain{p.Branch, p.Subject}
	of := measurement{in, p.Commit.Hash, p.Anchor, imported}
	if p.Again || p.Told != "" {
		// more of a commit that has a point
	} else if first, twice := d.commits[of]; twice {
		reasons = append(reasons, fmt.Sprintf("the commit %s has another point: %s line %d",
			quoted(p.Commit.Hash), first.file, first.line))
	} else {
		d.commits[of] = here
	}
	if p.At.IsZero() {
		return append(reasons, "the point has no time")
	}
	if early := p.Commit.Time.Sub(p.At); early > skew {
		reasons = append(reasons, fmt.Sprintf("it was measured %v before its commit was made: the clocks differ",
			rounded(early)))
	}
	if imported {
		return reasons // in the order of the file that they came from
	}
	last, some := d.newest[in]
	if early := last.at.Sub(p.At); some && early > longestJob {
		reasons = append(reasons, fmt.Sprintf("it was measured %v before the point of %s line %d, and written after it: "+
			"the clocks differ", rounded(early), last.file, last.line))
	}
	if !some || p.At.After(last.at) {
		d.newest[in] = newest{p.At, here}
	}
	return reasons
}

func rounded(d time.Duration) time.Duration { return d.Round(time.Minute) }
