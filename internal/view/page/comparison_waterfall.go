package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof/diff"
	"github.com/gohone/hone/prof/symbol"
)

// The kinds of steps of a waterfall.
const (
	stepFunction    = "function"
	stepCollector   = "collector"
	stepWaiting     = "waiting"
	stepSmaller     = "smaller"
	stepUnexplained = "unexplained"
)

// waterfalls explain a contest: its CPU time and its allocations by functions, its latencies by what requests waited
// for.
func waterfalls(of record.Contest) (all []model.Waterfall) {
	for _, v := range of.Verdicts {
		switch v.Measure.Key {
		case measure.CPU.Key:
			all = append(all, costWaterfall(v, of.Why, v.Measure.Name)...)
		case measure.Allocs.Key:
			all = append(all, costWaterfall(v, of.WhyAllocs, v.Measure.Name)...)
		}
	}
	return append(all, waitWaterfalls(of)...)
}

// costWaterfall leads from A's cost to B's by the changes that the profiles show beyond their noise. Its steps add up:
// what no profile shows is a step of its own. There is none without an explanation, and without a difference.
func costWaterfall(v judge.Verdict, why *diff.Explanation, title string) []model.Waterfall {
	if why == nil || !v.Word.Different() {
		return nil
	}
	b := builder{family: units.FamilyOf(v.Measure.Unit), from: v.A, to: v.B}
	for _, c := range why.Changes {
		b.add(costStep(c), c.Share/100*v.A)
	}
	if why.More > 0 {
		b.add(model.WaterfallStep{Kind: stepSmaller, Name: units.Plural(why.More, "smaller change")},
			why.Smaller/100*v.A)
	}
	w := b.waterfall(title, "", model.Unexplained(why))
	if len(w.Steps) == 0 && w.Note == "" {
		return nil
	}
	return []model.Waterfall{w}
}

// costStep is a change of a cost, without its size.
func costStep(c diff.Change) model.WaterfallStep {
	step := model.WaterfallStep{Kind: stepFunction, Name: c.InPlace()}
	if c.Function == "" {
		if strings.HasPrefix(c.What, "garbage collector") {
			step.Kind = stepCollector
		}
	} else {
		step.Place = &model.Place{Function: c.Function, File: c.File, Short: symbol.ShortFile(c.File), Line: c.Line}
	}
	if c.Low != 0 || c.High != 0 {
		step.Interval = units.Span(c.Low/100, c.High/100)
	}
	return step
}

// waitWaterfalls lead from A's latency to B's, as far as their requests were traced: the typical and the slow one.
// Where the traces show another change than the load, none is drawn.
func waitWaterfalls(of record.Contest) []model.Waterfall {
	var all []model.Waterfall
	for _, t := range of.WhyTime {
		b, title := builder{family: units.Nanoseconds, from: t.A, to: t.B},
			fmt.Sprintf("latency of the %s request, in the traces", t.Cohort)
		note, explains := model.Traced(of, t)
		if !explains {
			all = append(all, model.Waterfall{Title: title, Steps: []model.WaterfallStep{}, Note: note})
			continue
		}
		for _, cause := range t.Causes {
			step := model.WaterfallStep{Kind: stepWaiting, Name: facts.PartText(cause.Label)}
			if cause.State == walltime.Running || cause.State == walltime.Syscall {
				step.Kind = stepFunction
			}
			if cause.State == walltime.Collector {
				step.Kind = stepCollector
			}
			if cause.Function != "" {
				step.Place = &model.Place{Function: cause.Function, File: cause.File, Short: symbol.ShortFile(cause.File),
					Line: int64(cause.Line)}
			}
			b.add(step, cause.Nanos)
		}
		all = append(all, b.waterfall(title, note, "left out: "+otherSum))
	}
	return all
}

// builder adds up a waterfall.
type builder struct {
	family   units.Family
	from, to float64
	steps    []model.WaterfallStep
}

func (b *builder) add(step model.WaterfallStep, delta float64) {
	step.Delta = b.signed(delta)
	if b.from > 0 {
		step.Share = units.Percent(delta / b.from)
	}
	b.steps = append(b.steps, step)
}

// signed is a change with its sign and unit.
func (b *builder) signed(delta float64) model.Number {
	text := b.family.Write(math.Abs(delta))
	switch {
	case delta < 0:
		text = "-" + text
	case delta > 0:
		text = "+" + text
	}
	return model.Number{Value: delta, Text: text}
}

// otherSum says of causes that they explain no change.
const otherSum = "the causes that the traces show do not add up to the change"

// waterfall is what was added, the largest steps first, and after them what is not explained. Steps that do not explain
// the change are left out, and why stands instead.
func (b *builder) waterfall(title, note, otherwise string) model.Waterfall {
	w := model.Waterfall{
		Title: title, From: model.Number{Value: b.from, Text: b.family.Write(b.from)},
		To:    model.Number{Value: b.to, Text: b.family.Write(b.to)},
		Steps: []model.WaterfallStep{}, Note: note,
	}
	sum := 0.0
	for _, s := range b.steps {
		sum += s.Delta.Value
	}
	rest := b.to - b.from - sum
	if !model.Explains(sum, b.to-b.from) {
		w.Note = otherwise
		return w
	}
	slices.SortStableFunc(b.steps, func(x, y model.WaterfallStep) int {
		return cmp.Compare(math.Abs(y.Delta.Value), math.Abs(x.Delta.Value))
	})
	if math.Abs(rest) < 1e-9*math.Max(math.Abs(b.from), math.Abs(b.to)) {
		rest = 0 // what is left of rounding
	}
	b.add(model.WaterfallStep{Kind: stepUnexplained, Name: "not explained"}, rest)
	w.Steps = b.steps
	return w
}
