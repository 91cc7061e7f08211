package lab

import (
	"encoding/json"
	"math/rand/v2"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/ledger"
)

// Calibration is what comparisons of a program show on this machine: found out by comparing it
// with itself for the whole of a budget.
type Calibration struct {
	// Blocks is how many blocks it rests on, BlockTime what one of them took.
	Blocks    int           `json:"blocks"`
	BlockTime time.Duration `json:"block_time_ns"`
	// Powers are by measure and budget.
	Powers []compare.Power `json:"powers"`
}

// Calibrated is a calibration of an earlier day.
type Calibrated struct {
	// Comparison is its name in the ledger.
	Comparison string    `json:"comparison"`
	At         time.Time `json:"at"`
	Calibration
}

// calibrationBudgets are the budgets that a calibration speaks of.
var calibrationBudgets = []time.Duration{15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute}

// calibratedMeasures are those that gates are mostly about.
var calibratedMeasures = []string{compare.CPU.Key, compare.Throughput.Key, "p50", "p99", compare.Allocs.Key, compare.Bytes.Key}

// calibration says what the blocks of two equal variants show; nil where they show nothing.
func (u *underLoad) calibration() *Calibration {
	blocks, perBlock := u.blocksOf(0, 1), u.sizes.perBlock()
	if len(blocks) < learnedBlocks || perBlock <= 0 {
		return nil
	}
	u.Progress.Phase("work out what comparisons show", 0)
	c := &Calibration{Blocks: len(blocks), BlockTime: perBlock}
	rng := rand.New(rand.NewPCG(u.Seed, uint64(len(blocks))))
	for _, m := range compare.Measures {
		for _, key := range calibratedMeasures {
			if m.Key != key {
				continue
			}
			if all, err := compare.PowerOf(m, blocks, perBlock, calibrationBudgets, u.request.options(), rng); err == nil {
				c.Powers = append(c.Powers, all...)
			} // else it was not observed
		}
	}
	return c
}

// searchedComparisons is how many of the latest comparisons are searched for a calibration.
const searchedComparisons = 200

// lastCalibration is the latest calibration of a program under the plan of a run; nil if there
// is none. A ledger that cannot be read has none: it is about a hint.
func (m *measurement) lastCalibration(of ledger.Run) *Calibrated {
	all, err := m.Ledger.Comparisons(searchedComparisons)
	if err != nil {
		return nil
	}
	for _, row := range all {
		var c struct {
			Calibration *Calibration `json:"calibration"`
		}
		if len(row.Runs) == 0 || json.Unmarshal(row.Doc, &c) != nil || c.Calibration == nil {
			continue
		}
		run, err := m.Ledger.Run(row.Runs[0])
		if err == nil && run.Package == of.Package && run.Plan == of.Plan && run.Machine == of.Machine {
			return &Calibrated{Comparison: row.ID, At: row.Started, Calibration: *c.Calibration}
		}
	}
	return nil
}
