package chains

import (
	"cmp"
	"math"
	"slices"

	"github.com/gohone/hone/internal/judge/chain"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/judge"
)

// Options say how points are read.
type Options struct {
	// Confidence is that of all intervals; 0 means 95 %.
	Confidence float64
	// Gone says that a commit is no longer part of a branch: it was pushed anew. Such commits keep their values, and
	// no step is looked for at them. Nil: none is gone, as far as is known.
	Gone func(branch, hash string) bool
}

// Key says what a chain is of.
type Key struct {
	Branch  string `json:"branch"`
	Subject string `json:"subject"`
	Name    string `json:"name,omitempty"`
	Measure string `json:"measure"`
	// Imported is the format of points that hone did not measure, and Machine where they come from. A chain of hone's
	// points has neither.
	Imported string `json:"imported,omitempty"`
	Machine  string `json:"machine,omitempty"`
}

// Of is what the chain is of, for readers: a benchmark with its package, or the package of a service.
func (k Key) Of() string { return cmp.Or(k.Name, k.Subject) }

// Chain is one measure along the commits of a branch.
type Chain struct {
	Key
	Unit   string  `json:"unit,omitempty"`
	Places []Place `json:"places"`

	errors *chain.Errors
	net    *chain.Chain
	lines  [][]stop // by segment
	again  map[string]further
}

// further is what is known of a step beside its links, by the hash of the first commit with it.
type further struct {
	// measured are the measurements of its two ends.
	measured []chain.Link
	// tried says that they were measured, or could not be.
	tried bool
	// searched says that its commit was searched for, found is the answer, if there is one.
	searched bool
	found    *series.Commit
}

// Paired says that each link is a comparison. Otherwise the values are those of single runs at different times.
func (k Key) Paired() bool { return k.Imported == "" }

// Place is one commit in a chain.
type Place struct {
	Commit *series.Commit `json:"commit"`
	State  series.State   `json:"state"`
	// Segment counts how often the chain has begun anew. Values of different segments are not comparable.
	Segment int `json:"segment"`
	// Value is the commit against the beginning of its segment, with the errors of all links between them, and with what
	// anchors after it say. An imported value has no interval: Low and High are 0. Nil where there is no value, and where
	// the measurement of this commit, or of one between the last anchor and it, says nothing of it.
	Value *chain.Interval `json:"value,omitempty"`
	Gone  bool            `json:"gone,omitempty"`
	*Measurement
}

// Measurement says what the place comes from. Most commits change little: the unchanged chains of one have the same, so
// nobody may write to it.
type Measurement struct {
	// Link is the commit against Base, as it was measured; nil at the beginning of a segment, and for imported values.
	Link *chain.Interval `json:"link,omitempty"`
	Base *series.Commit  `json:"base,omitempty"`
	// Anchor is the older commit that it was also measured against; nil without one.
	Anchor *series.Commit `json:"anchor,omitempty"`
	// Commits counts the commits after Base up to this one; 0 where that is not known.
	Commits int `json:"commits,omitempty"`
	// Confirmed says that two stages, or two measurements, showed the link.
	Confirmed bool `json:"confirmed,omitempty"`
	// Absolute is for readers.
	Absolute float64 `json:"absolute,omitempty"`
	Report   string  `json:"report,omitempty"`
	Notes    []Note  `json:"notes,omitempty"`
}

// stop is a place of the line of a segment; place is -1 for a base that has no point.
type stop struct {
	commit                    *series.Commit
	place, at, base           int32
	measured, anchored, shown bool
}

func stopOf(s chain.Stop, c *series.Commit, place int) stop {
	return stop{c, int32(place), int32(s.Place), int32(s.Base), s.Measured, s.Anchored, s.Shown}
}

func (s stop) stop() chain.Stop {
	return chain.Stop{Place: int(s.at), Measured: s.measured, Anchored: s.anchored, Shown: s.shown, Base: int(s.base)}
}

// Read reads points into chains: those of hone first, by subject, name and measure. The order of the points is that in
// which they were written. Notes are of all chains of a branch; those of one are at its places. An error is one of the
// options.
func Read(points []series.Point, o Options) (all []*Chain, notes []Note, err error) {
	errors, err := chain.NewErrors(cmp.Or(o.Confidence, 1-judge.DefaultAlpha))
	if err != nil {
		return nil, nil, err
	}
	for _, line := range lines(points) {
		commits, about := inOrder(line)
		notes = append(notes, about...)
		all = append(all, readLine(commits, o, errors)...)
	}
	slices.SortStableFunc(all, func(x, y *Chain) int {
		return cmp.Or(cmp.Compare(x.Branch, y.Branch), cmp.Compare(x.Imported, y.Imported),
			cmp.Compare(x.Subject, y.Subject), cmp.Compare(x.Name, y.Name), cmp.Compare(x.Measure, y.Measure),
			cmp.Compare(x.Machine, y.Machine))
	})
	return all, notes, nil
}

// lines are the points that may be in one chain, each point once.
func lines(points []series.Point) [][]*series.Point {
	type kind struct{ branch, subject, imported, machine string }
	at := map[kind]int{}
	seen := map[string]bool{}
	var all [][]*series.Point
	for i := range points {
		p := &points[i]
		if p.Told != "" || p.ID != "" && seen[p.ID] {
			continue
		}
		seen[p.ID] = true
		k := kind{branch: p.Branch, subject: p.Subject, imported: p.Imported}
		if p.Imported != "" {
			k.machine = p.Machine
		}
		if _, known := at[k]; !known {
			at[k] = len(all)
			all = append(all, nil)
		}
		all[at[k]] = append(all[at[k]], p)
	}
	return all
}

// found is a value with its point.
type found struct {
	*series.Value
	point *series.Point
}

// readLine reads the chains of commits in their order.
func readLine(commits []*commit, o Options, errors *chain.Errors) []*Chain {
	type key struct{ name, measure string }
	readers, known := map[key]*reader{}, hashes{}
	var all []*Chain
	for _, c := range commits {
		gone := o.Gone != nil && o.Gone(c.points[0].Branch, c.Hash)
		values := map[key][]found{}
		var order []key
		for _, p := range c.points {
			for v := range p.All() {
				k := key{v.Name, v.Measure}
				if values[k] == nil {
					order = append(order, k)
				}
				values[k] = append(values[k], found{&v, p})
			}
		}
		for _, k := range order {
			r := readers[k]
			if r == nil {
				p := c.points[0]
				r = newReader(Key{Branch: p.Branch, Subject: p.Subject, Name: k.name, Measure: k.measure,
					Imported: p.Imported}, errors, known)
				if p.Imported != "" {
					r.chain.Machine = p.Machine
				}
				readers[k] = r
				all = append(all, r.chain)
			}
			r.read(c, values[k], gone)
		}
	}
	for _, r := range readers {
		r.finish()
	}
	return all
}

// middle is the median of absolute values, those that are numbers of at least 0.
func middle(all []found) (value float64, has bool) {
	var values []float64
	for _, v := range all {
		if v.Absolute >= 0 && !math.IsInf(v.Absolute, 0) && (v.State == series.Measured || v.State == series.Begins) {
			values = append(values, v.Absolute)
		}
	}
	if len(values) == 0 {
		return 0, false
	}
	slices.Sort(values)
	n := len(values)
	return values[(n-1)/2]/2 + values[n/2]/2, true
}
