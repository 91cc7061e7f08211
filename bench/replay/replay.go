// Package replay draws comparisons from the blocks of those that a ledger holds, of services and of benchmarks,
// by thousands: with their real scatter, drift and disturbances, and without a quiet hour.
//
// Each drawn comparison is of one stored comparison: its blocks come in stretches of four, as they came there, from
// places that are drawn with replacement (the circular block bootstrap; Politis & Romano 1992). The change that all
// blocks of the stored comparison show is taken out, so that both sides are equal. In one of ten a change is planted.
// Each is decided in both stages as hone decides (judge/power, Play), and once more with knowledge of the other
// comparisons of the program: how they scatter (judge.Options.Prior), and whether the machine is ever calm.
//
// A stored comparison goes round: after its last block comes the first one.
//
// What it does not show: what is the same in all blocks of a comparison, such as one link order, and link orders that
// several blocks have. A block of a benchmark is its change alone, without the scatter of its turns.
package replay

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
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
	Takes: "a minute for 3,000 comparisons", Needs: "a ledger with comparisons of services or benchmarks", Run: run,
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
		return fmt.Errorf("no comparison in the ledger %s has %d blocks: run hone compare or hone bench, or give -ledger",
			*dir, fewestBlocks)
	}
	title := fmt.Sprintf("%d comparisons drawn from the blocks of %d, of %d programs", b.Rounds, len(all), programs(all))
	table := b.Table(title, "scatter of others", "equal", "called different", "of these",
		fmt.Sprintf("planted %g %%", *planted), "found", "blocks for what was found")
	for _, known := range []bool{false, true} {
		d := drawing{all: all, known: known, seed: *seed, change: math.Log1p(*planted / 100)}
		if err := d.draw(ctx, b.Rounds); err != nil {
			return err
		}
		name := map[bool]string{false: "not known", true: "known"}[known]
		table.Row(name, fmt.Sprint(d.alarms.N), d.alarms.String(), d.worst(), fmt.Sprint(d.found.N), d.found.String(),
			fmt.Sprintf("%.1f", float64(d.blocks)/float64(max(1, d.found.Of))))
		b.Goal("called different though equal, scatter "+name, d.alarms, bed.AtMost, judge.BothStages(judge.DefaultAlpha))
	}
	return nil
}

// oneInPlanted is the part of the comparisons that have a change, 1 in oneInPlanted.
const oneInPlanted = 10

// drawing draws comparisons, and counts what becomes of them.
type drawing struct {
	all           []comparison
	known         bool // each knows what the others of its program scatter
	seed          uint64
	change        float64 // that is planted
	alarms, found bed.Share
	of            map[string]int // alarms by program
	blocks        int            // of what was found
}

// outcome is what became of a drawn comparison.
type outcome struct {
	program            string
	planted, different bool
	blocks             int
	err                error
}

// draw draws so many comparisons on all CPUs, each by a seed of its own.
func (d *drawing) draw(ctx context.Context, n int) error {
	d.of = map[string]int{}
	var next atomic.Int64
	done := make(chan outcome, n)
	for range min(n, runtime.GOMAXPROCS(0)) { // each ends when all are drawn
		go func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				one := outcome{err: ctx.Err()}
				if one.err == nil {
					one = d.one(rand.New(rand.NewPCG(d.seed, uint64(i))), i%oneInPlanted == oneInPlanted-1)
				}
				done <- one
			}
		}()
	}
	var fault error
	for range n {
		one := <-done
		fault = cmp.Or(fault, one.err)
		d.count(one)
	}
	return fault
}

func (d *drawing) count(one outcome) {
	of := &d.alarms
	if one.planted {
		of = &d.found
	}
	of.N++
	if !one.different {
		return
	}
	if of.Of++; one.planted {
		d.blocks += one.blocks
	} else {
		d.of[one.program]++
	}
}

// one draws a comparison of equal variants, or of one with the change.
func (d *drawing) one(rng *rand.Rand, planted bool) outcome {
	at, change, o := rng.IntN(len(d.all)), 0.0, judge.Options{}
	if planted {
		change = d.change
	}
	if d.known {
		o.Prior, o.NeverCalm = priorWithout(d.all, at), !d.calm(at)
		o.PriorAgain = o.Prior
	}
	p, err := power.Play(measure.CPU, d.all[at].draw(rng, 2*room, change), room, o)
	return outcome{d.all[at].program, planted, p.Final.Word.Different(), p.Blocks, err}
}

// calm says whether any other comparison had a calm moment, or too few are there to tell.
func (d *drawing) calm(at int) bool {
	for i, c := range d.all {
		if i != at && c.calm {
			return true
		}
	}
	return len(d.all) <= stats.FewestForPrior
}

// worst names the programs with the most alarms.
func (d *drawing) worst() string {
	names := slices.SortedFunc(maps.Keys(d.of), func(x, y string) int {
		return cmp.Or(cmp.Compare(d.of[y], d.of[x]), cmp.Compare(x, y))
	})
	var said []string
	for _, name := range names[:min(3, len(names))] {
		said = append(said, fmt.Sprintf("%d %s", d.of[name], name))
	}
	return strings.Join(said, ", ")
}

// programs is how many programs, or packages of benchmarks, comparisons are of.
func programs(all []comparison) int {
	seen := map[string]bool{}
	for _, c := range all {
		seen[c.program] = true
	}
	return len(seen)
}

// comparison is a stored one.
type comparison struct {
	program string
	blocks  []judge.Block
	scatter stats.Scatter
	calm    bool // nothing disturbed some pairs
}

// stored are the comparisons of services and benchmarks in a ledger, the change that they show taken out.
func stored(l *ledger.Ledger) (all []comparison, err error) {
	rows, err := l.Comparisons(0)
	if err != nil {
		return nil, err
	}
	add := func(program string, blocks []judge.Block) {
		if one, ok := equal(blocks); ok {
			one.program = program
			all = append(all, one)
		}
	}
	for _, row := range rows {
		var r benchmarks.Result
		switch {
		case row.Status != ledger.Complete:
		case json.Unmarshal(row.Doc, &r) == nil && r.Schema == benchmarks.Schema:
			for _, b := range r.Benchmarks {
				if b.Changes != nil {
					add(b.Package, blocksOf(*b.Changes))
				}
			}
		case len(row.Runs) >= 2:
			first, err := l.Run(row.Runs[0])
			if err != nil {
				return nil, err
			}
			if blocks, err := history.Blocks(l, row.Runs[0], row.Runs[1]); err == nil { // else it has no slices
				add(first.Package, blocks)
			}
		}
	}
	return all, nil
}

// blocksOf are the blocks of a benchmark, of one pair each.
func blocksOf(c judge.Changes) (all []judge.Block) {
	for i, v := range c.Values {
		pair := judge.Pair{Disturbed: c.Disturbed[i] > 0.5, A: judge.Sample{measure.CPU.Key: 1},
			B: judge.Sample{measure.CPU.Key: math.Exp(v)}}
		all = append(all, judge.Block{Pairs: []judge.Pair{pair}})
	}
	return all
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
			one.calm = one.calm || slices.ContainsFunc(b.Pairs, func(p judge.Pair) bool { return !p.Disturbed })
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
