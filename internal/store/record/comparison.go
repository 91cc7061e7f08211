package record

import (
	"cmp"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/program/plant"
	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/judge"
)

// MostVariants is how many variants a comparison can have: they are called A to Z.
const MostVariants = 26

// StoppedSameSource is why a comparison of commits ends after one start of each variant: nothing that the program
// consists of, or may read, differs, so that no load can tell them apart. Who wants that measured names one source
// twice.
const StoppedSameSource = "same source"

// StoppedUnreached is why a comparison of versions ends after one start of each: its load executes nothing that
// differs.
const StoppedUnreached = "not executed"

// Comparison is the document of a comparison.
type Comparison struct {
	Schema      string        `json:"schema"`
	ID          string        `json:"id"`
	Status      ledger.Status `json:"status"`
	Reason      string        `json:"reason,omitempty" printable:"lines"`
	Started     time.Time     `json:"started"`
	Elapsed     time.Duration `json:"elapsed_ns"`
	Runs        []string      `json:"runs"`
	Seed        uint64        `json:"seed"` // of the order of the slices
	Arrangement Arrangement   `json:"arrangement,omitempty"`
	Why         string        `json:"arrangement_reason,omitempty"`
	// Budget is what the comparison might have taken, Blocks the number of fresh starts of
	// every variant it took, BlockTime what one of them took on average, Stopped why it
	// ended: compare.StoppedDecided and so on.
	Budget    time.Duration `json:"budget_ns"`
	Blocks    int           `json:"blocks"`
	BlockTime time.Duration `json:"block_time_ns"`
	Stopped   string        `json:"stopped,omitempty"`
	// FirstStage is how many of the blocks were of the first stage, where there was a second one; LinkOrders is how
	// many other orders of their functions the variants had in that.
	FirstStage int `json:"first_stage_blocks,omitempty"`
	LinkOrders int `json:"link_orders,omitempty"`
	// Spread is how its values scattered, for the plan of the next comparison.
	Spread *Spread `json:"spread,omitempty"`
	// Looks are the interim looks, the last one included.
	Looks []judge.Look `json:"looks,omitempty"`
	// Word is that of the first contest, for lists.
	Word judge.Word `json:"verdict"`
	// Contests are the variants but the first, each against the first.
	Contests []Contest     `json:"contests"`
	Gates    []gate.Result `json:"gates,omitempty"`
	// SelfChecks are the A/A intervals of each variant, in the order of Runs.
	SelfChecks []compare.SelfCheckResult `json:"self_checks,omitempty"`
	// Reach is what the load executes of the functions that differ; nil where that is not known.
	Reach *reach.Table `json:"reach,omitempty"`
	// Checked is what the patches among the variants passed before they were measured.
	Checked []Checked `json:"checked,omitempty"`
	// Planted is what makes B worse, to prove that a gate can fail; nil of any other comparison.
	Planted *plant.Planted `json:"planted,omitempty"`
	// Calibration is what the comparison says of others like it: hone calibrate.
	Calibration *Calibration `json:"calibration,omitempty"`
	// Calibrated is the latest calibration under the same plan, where a gate is open.
	Calibrated *Calibrated `json:"calibrated,omitempty"`
}

// Refusal says why nothing was compared; empty where there is a verdict.
func (c *Comparison) Refusal() string {
	if c.Status == ledger.Complete && c.Word != judge.Invalid && len(c.Contests) > 0 {
		return ""
	}
	return cmp.Or(c.Reason, "it was not measured to the end")
}

// TakeFigures gives the documents of runs the figures that the verdicts of their comparison have of them.
func (c *Comparison) TakeFigures(runs []Run) {
	for _, contest := range c.Contests {
		for i := range contest.Verdicts {
			v := &contest.Verdicts[i]
			f := figureOf(v.Measure)
			if f == nil {
				continue
			}
			f.set(&runs[contest.B], v.B)
			v.A, v.B = f.stored(&runs[contest.A], v.A), f.stored(&runs[contest.B], v.B)
		}
	}
}

// Spread is how the values of a comparison scattered, and what its starts cost: what the next
// comparison under the same plan plans its blocks by, until it knows better.
type Spread struct {
	// Within and Between are variances of log ratios of CPU time per request: of a pair around
	// its start, and of a start beyond what its pairs explain.
	Within  float64 `json:"within"`
	Between float64 `json:"between"`
	// Start is what a block took besides its slices.
	Start time.Duration `json:"start_ns"`
}
