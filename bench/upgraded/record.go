package upgraded

import (
	"fmt"
	"math"

	"github.com/gohone/hone/bench/bed"
)

// schema is that of the file of results: JSON lines, each a record. Each session begins with a line that names it.
const schema = "hone.upgraded/1"

// record is one trial, or the session that the next ones belong to. All shares are of the CPU time that the older
// release takes for a request or an operation.
type record struct {
	bed.Entry
	Program string `json:"program,omitempty"`
	Commit  string `json:"commit,omitempty"`
	// Whole, Parts and Rest are what hone upgrade says; Whole is nil where it confirms no change.
	Whole *share  `json:"whole,omitempty"`
	Parts []share `json:"parts,omitempty"`
	Rest  float64 `json:"rest,omitempty"`
	// Truth and Alone are the whole and the parts in the second measurement.
	Truth *share  `json:"truth,omitempty"`
	Alone []share `json:"alone,omitempty"`
	// Control is the part that was switched off on both sides, Named whether hone upgrade named it all the same.
	Control string  `json:"control,omitempty"`
	Named   bool    `json:"named,omitempty"`
	Seconds float64 `json:"s,omitempty"`
}

// share is a change with its interval, of a part or of the whole.
type share struct {
	Name  string  `json:"name,omitempty"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// shown says whether the interval excludes no change.
func (s share) shown() bool { return s.Low > 0 || s.High < 0 }

// String is a share in percent: "jsonv2 -15.4 % (-22.1 ... -9.2)".
func (s share) String() string {
	return fmt.Sprintf("%s %+.1f %% (%+.1f ... %+.1f)", s.Name, 100*s.Share, 100*s.Low, 100*s.High)
}

// named is the program of a record, if it is of one.
func (r record) named() (string, bool) { return r.Program, r.Program != "" }

// String is a record as progress shows it.
func (r record) String() string {
	if r.Whole == nil {
		return fmt.Sprintf("no confirmed change of CPU time, %.0f s", r.Seconds)
	}
	return fmt.Sprintf("%v, parts %v, rest %+.1f %%; again %v, parts %v; %.0f s", r.Whole, r.Parts, 100*r.Rest, r.Truth,
		r.Alone, r.Seconds)
}

// carries is the part of the whole from which on a part carries it.
const carries = 0.7

// confirmed says whether both measurements find a change, in one direction.
func (r record) confirmed() bool {
	return r.Whole != nil && r.Truth != nil && r.Whole.shown() && r.Truth.shown() && r.Whole.Share*r.Truth.Share > 0
}

// carrier is the part that carries the change; "" for none: it is in the rest, or in several parts.
func carrier(whole share, parts []share) (name string) {
	most := carries
	for _, p := range parts {
		if part := p.Share / whole.Share; p.shown() && part >= most {
			name, most = p.Name, part
		}
	}
	return name
}

// sum is that of the parts that hone shows, as large as the second measurement finds them, and hone's rest.
func (r record) sum() float64 {
	sum := r.Rest
	for _, p := range r.Parts {
		for _, a := range r.Alone {
			if p.shown() && p.Name == a.Name {
				sum += a.Share
			}
		}
	}
	return sum
}

// addsUp says whether the sum lies in hone's interval of the whole.
func (r record) addsUp() bool {
	sum := r.sum()
	return !math.IsNaN(sum) && r.Whole.Low <= sum && sum <= r.Whole.High
}
