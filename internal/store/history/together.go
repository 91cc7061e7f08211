package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/stats"
)

// SharedComparison is the comparison that both runs are of, empty if they were not measured
// together.
func SharedComparison(a, b ledger.Run) string {
	if a.ID == b.ID || a.Comparison != b.Comparison {
		return ""
	}
	return a.Comparison
}

// ComparisonStore is what Together reads from.
type ComparisonStore interface {
	Store
	Comparison(name string) (ledger.Comparison, error)
}

var _ ComparisonStore = (*ledger.Ledger)(nil)

// Together compares two runs of one stored comparison by their pairs of slices, with the
// looks that the comparison took. It is for runs, or a level and a tolerance, that the
// comparison itself did not decide on; the level is divided among the contests that it had.
// Errors are those of Compare.
func Together(s ComparisonStore, a, b string, o judge.Options) (*Stored, error) {
	runA, runB, sideA, sideB, err := readBoth(s, a, b, o)
	if err != nil {
		return nil, err
	}
	row, err := s.Comparison(SharedComparison(runA, runB))
	if err != nil {
		return nil, err
	}
	var doc struct {
		Looks []judge.Look `json:"looks"`
	}
	if len(row.Doc) > 0 {
		if err := json.Unmarshal(row.Doc, &doc); err != nil {
			return nil, fail.New(fail.Storage, "read comparison %s: %w", row.ID, err).WithHint("hone ledger verify")
		}
	}
	o = o.WithDefaults()
	o.Alpha /= float64(max(1, len(row.Runs)-1))
	o.Looks = doc.Looks
	c := &Stored{Schema: StoredSchema, A: runA, B: runB, Unit: PerStart, Comparison: row.ID}
	c.A.Doc, c.B.Doc = nil, nil
	blocks := blocksOf(sideA, sideB)
	for _, m := range storedMeasures {
		v, err := judge.Decide(m.measure, blocks, o)
		if errors.Is(err, judge.ErrNotObserved) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("compare %s of stored runs: %w", m.measure.Name, err)
		}
		v.Need = nil // nothing is measured any more
		c.Verdicts = append(c.Verdicts, ofRuns(v, sideA, sideB))
	}
	return c, nil
}

// Blocks are the blocks of two runs that were measured together, with what the machine did to them. Errors are those of
// Compare.
func Blocks(s Store, a, b string) ([]judge.Block, error) {
	_, _, sideA, sideB, err := readBoth(s, a, b, judge.Options{})
	if err != nil {
		return nil, err
	}
	return blocksOf(sideA, sideB), nil
}

// blocksOf are the slices that were taken in the same round of the same start side by side.
func blocksOf(a, b side) []judge.Block {
	pairs := compare.PairUp(a.compared(), b.compared())
	var blocks []judge.Block
	for _, start := range slices.Sorted(maps.Keys(pairs)) {
		blocks = append(blocks, judge.Block{Pairs: pairs[start]})
	}
	return blocks
}

// compared are the slices as they are compared, those of one place together.
func (s side) compared() []compare.Slice {
	var all []compare.Slice
	for round := range compare.Rounds(s.slices, slice.place) {
		values := judge.Sample{}
		if v, ok := cpu(round); ok {
			values[measure.CPU.Key] = v
		}
		if v, ok := rate(round); ok {
			values[measure.Throughput.Key] = v
		}
		var latency []stats.Distribution
		for _, one := range round {
			latency = append(latency, one.distribution())
		}
		all = append(all, compare.Slice{Place: round[0].place(), Sample: values, Latency: stats.Merge(latency),
			Disturbed: slices.ContainsFunc(round, slice.disturbed)})
	}
	return all
}

// disturbed says that the machine was noticeably busy with something else.
func (s slice) disturbed() bool { return s.Conditions.Disturbance(s.Duration).Noticeable() }

func (s slice) place() compare.Place { return compare.Place{Block: s.Block, Round: s.Pair} }

func (s slice) distribution() (d stats.Distribution) {
	if s.latency == nil {
		return nil
	}
	for _, bar := range load.Bars(s.latency) {
		d = append(d, stats.Bin{Value: float64(max(1, bar.To)), Count: uint64(bar.Count)})
	}
	return d
}
