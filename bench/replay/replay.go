// Package replay draws comparisons from the blocks of those that a ledger holds, by thousands: with their real scatter,
// drift and disturbances, and without a quiet hour.
//
// Each drawn comparison is of one stored comparison: its blocks come in stretches of four, as they came there, from places
// that are drawn with replacement (the circular block bootstrap; Politis & Romano 1992). The change that all blocks of the
// stored comparison show is taken out, so that both sides are equal, and a change is planted or not. It is decided in both
// stages as hone decides (judge/power, Play). It is also decided with what the other comparisons of the program scatter
// known (judge.Options.Prior).
//
// What it does not show: what is the same in all blocks of a comparison, such as one link order.
package replay

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/judge/power"
	"github.com/gohone/hone/stats"
)

// Case is the replay.
var Case = bed.Case{
	Name:  "replay",
	Shows: "how often do blocks of a ledger's comparisons, drawn again by thousands, make an alarm",
	Takes: "a minute for 1,000 comparisons", Needs: "a ledger with comparisons of services", Run: run,
}

const (
	// fewestBlocks is how many blocks a stored comparison has to have to be drawn from, stretch how many of them are drawn
	// one after the other.
	fewestBlocks, stretch = 6, 4
	// room is how many blocks the budget of a drawn comparison has room for.
	room = 20
)

func run(ctx context.Context, b *bed.Bed) error {
	dir := b.String("ledger", "", "`directory` of the ledger; empty is that of hone")
	planted := b.Float64("change", 5, "change in per cent that is planted in half of the comparisons")
	seed := b.Uint64("seed", 1, "seed of the draws")
	b.Repeats(1000, "comparisons that are drawn")
	b.Report = true // it needs no hone
	if err := b.Start(ctx); err != nil {
		return err
	}
	l, err := ledger.OpenReader(*dir)
	if err != nil {
		return err
	}
	defer l.Close()
	all, err := stored(l)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("no comparison of services in the ledger %s has %d blocks: run hone compare, or give -ledger", *dir, fewestBlocks)
	}
	table := b.Table(fmt.Sprintf("%d comparisons drawn from the blocks of %d", b.Rounds, len(all)), "scatter of others",
		"equal", "called different", fmt.Sprintf("planted %g %%", *planted), "found", "blocks for what was found")
	for _, known := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(*seed, 57))
		var alarms, found bed.Share
		blocks := 0
		for i := range b.Rounds {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			at, change := rng.IntN(len(all)), 0.0
			if i%2 == 1 {
				change = math.Log1p(*planted / 100)
			}
			o := judge.Options{}
			if known {
				o.Prior = priorWithout(all, at)
			}
			p, err := power.Play(measure.CPU, all[at].draw(rng, 2*room, change), room, o)
			if err != nil {
				return err
			}
			different := p.Final.Word.Different()
			switch {
			case change == 0:
				alarms.N++
				if different {
					alarms.Of++
				}
			default:
				found.N++
				if different {
					found.Of, blocks = found.Of+1, blocks+p.Blocks
				}
			}
		}
		table.Row(map[bool]string{false: "not known", true: "known"}[known], fmt.Sprint(alarms.N), alarms.String(),
			fmt.Sprint(found.N), found.String(), fmt.Sprintf("%.1f", float64(blocks)/float64(max(1, found.Of))))
		b.Goal("called different though equal, scatter "+map[bool]string{false: "not known", true: "known"}[known], alarms,
			bed.AtMost, judge.BothStages(judge.DefaultAlpha))
	}
	return nil
}

// comparison is a stored one.
type comparison struct {
	program string
	blocks  []judge.Block
	scatter stats.Scatter
}

// stored are the comparisons of services in a ledger, the change that they show taken out.
func stored(l *ledger.Ledger) (all []comparison, err error) {
	rows, err := l.Comparisons(0)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if row.Status != ledger.Complete || len(row.Runs) < 2 {
			continue
		}
		blocks, err := history.Blocks(l, row.Runs[0], row.Runs[1])
		if err != nil {
			continue // of another kind, or without slices
		}
		first, err := l.Run(row.Runs[0])
		if err != nil {
			return nil, err
		}
		if one, ok := equal(blocks); ok {
			one.program = first.Package
			all = append(all, one)
		}
	}
	return all, nil
}

// equal is a comparison of blocks without the change that they show; false where too few show CPU time.
func equal(blocks []judge.Block) (one comparison, ok bool) {
	c, err := judge.ChangesOf(measure.CPU, blocks)
	if err != nil || len(c.Values) < fewestBlocks {
		return one, false
	}
	found, err := stats.HodgesLehmann(c.Values, 0.5)
	if err != nil {
		return one, false
	}
	e, n := stats.StdErr(c.Values), float64(len(c.Values))
	one.scatter = stats.Scatter{Variance: e * e * n, DF: len(c.Values) - 1}
	for _, b := range blocks {
		if b = changed(b, -found.Value); len(b.Pairs) > 0 {
			one.blocks = append(one.blocks, b)
		}
	}
	return one, len(one.blocks) >= fewestBlocks
}

// changed is a block in which B costs more by a log ratio. It has CPU time alone.
func changed(b judge.Block, by float64) (out judge.Block) {
	for _, p := range b.Pairs {
		x, okX := p.A[measure.CPU.Key]
		y, okY := p.B[measure.CPU.Key]
		if okX && okY {
			out.Pairs = append(out.Pairs, judge.Pair{Disturbed: p.Disturbed, A: judge.Sample{measure.CPU.Key: x},
				B: judge.Sample{measure.CPU.Key: y * math.Exp(by)}})
		}
	}
	return out
}

// draw draws so many blocks in stretches, and turns all of them round or none: the sides are equal.
func (c comparison) draw(rng *rand.Rand, n int, change float64) (blocks []judge.Block) {
	turned := rng.IntN(2) == 0
	for len(blocks) < n {
		at := rng.IntN(len(c.blocks))
		for i := range stretch {
			b := c.blocks[(at+i)%len(c.blocks)]
			if turned {
				b.Pairs = slices.Clone(b.Pairs)
				for j, p := range b.Pairs {
					b.Pairs[j].A, b.Pairs[j].B = p.B, p.A
				}
			}
			blocks = append(blocks, changed(b, change))
		}
	}
	return blocks[:n]
}

// priorWithout is what the other comparisons of the program of one scatter.
func priorWithout(all []comparison, at int) stats.Prior {
	var others []stats.Scatter
	for i, c := range all {
		if i != at && c.program == all[at].program {
			others = append(others, c.scatter)
		}
	}
	return stats.PriorOf(others)
}
