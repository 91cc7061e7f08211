package service

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge/power"
)

// calibrationBudgets are the budgets that a calibration speaks of.
var calibrationBudgets = []time.Duration{15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute}

// blockBudgets are the parts of calibrationBudgets that comparisons have for blocks.
func blockBudgets(r lab.Task) (all []time.Duration) {
	r.Calibrate = false
	for _, r.Budget = range calibrationBudgets {
		all = append(all, timesOf(withinBudget(r)).forBlocks(r.Budget))
	}
	return all
}

// calibratedMeasures are those that gates are mostly about.
var calibratedMeasures = []string{measure.CPU.Key, measure.Throughput.Key, "p50", "p99", measure.Allocs.Key,
	measure.Bytes.Key}

// calibration says what the blocks of two equal variants show; nil where they show nothing.
func (m *services) calibration() *record.Calibration {
	blocks, perBlock := m.blocksWith(1), m.sizes.perBlock()
	if len(blocks) < blocksForSpread || perBlock <= 0 {
		return nil
	}
	m.Progress.Phase("compute what comparisons can detect", 0)
	c := &record.Calibration{Blocks: len(blocks), BlockTime: perBlock}
	rng := rand.New(rand.NewPCG(m.Task.Seed, uint64(len(blocks))))
	for _, one := range measure.All {
		if !slices.Contains(calibratedMeasures, one.Key) {
			continue
		}
		all, err := power.Of(one, blocks, perBlock, blockBudgets(m.Task), m.Task.Rules(), rng)
		if err != nil {
			continue // it was not observed
		}
		for i := range all {
			all[i].Budget = calibrationBudgets[i]
		}
		c.Powers = append(c.Powers, all...)
	}
	return c
}

// lastCalibration is the latest calibration under this plan; nil if there is none.
func (m *services) lastCalibration() *record.Calibrated {
	c, ok := m.latest(func(c record.Comparison) bool { return c.Calibration != nil })
	if !ok {
		return nil
	}
	return &record.Calibrated{Comparison: c.ID, At: c.Started, Calibration: *c.Calibration}
}
