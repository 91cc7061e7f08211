package tune

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/service"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// UpgradeSchema is that of Upgrade as JSON.
const UpgradeSchema = "hone.upgrade/1"

// UpgradeMeasures are what an upgrade is judged by.
var UpgradeMeasures = []string{measure.CPU.Key, "p99", measure.PeakRSS.Key, measure.Throttled.Key}

// Upgrade measures the program built by each of the toolchains, in each of the boxes. Errors: fail.BadInput if fewer
// than two of them can build it; of a box in which the program fails it says so, and goes on.
func (t Trial) Upgrade(ctx context.Context, toolchains []string, boxes []cgroup.Limits) (*tuning.Upgrade, error) {
	u, err := chooseToolchains(ctx, t.program(), t.Lab.WorkDir, toolchains)
	if err != nil {
		return nil, err
	}
	if len(u.Toolchains) < 2 {
		return u, nil
	}
	for _, box := range boxes {
		one, err := t.upgradeIn(ctx, u.Toolchains, box)
		u.Boxes = append(u.Boxes, one)
		if kind := fail.Subject; err != nil && fail.KindOf(err) != kind && fail.KindOf(err) != fail.Invalid {
			return u, err
		}
	}
	return u, nil
}

// chooseToolchains finds the releases that can build a variant, and says of the others why they cannot.
func chooseToolchains(ctx context.Context, v build.Variant, dir string, names []string) (*tuning.Upgrade, error) {
	u := &tuning.Upgrade{Schema: UpgradeSchema}
	for _, name := range names {
		chosen, err := build.ChooseToolchain(ctx, v, dir, name)
		switch {
		case ctx.Err() != nil:
			return nil, fail.New(fail.Interrupted, "interrupted")
		case err != nil:
			u.Missing = append(u.Missing, tuning.MissingToolchain{Name: chosen, Reason: inOneLine(err)})
		case !slices.Contains(u.Toolchains, chosen):
			u.Toolchains = append(u.Toolchains, chosen)
		}
	}
	return u, nil
}

// upgradeIn compares the toolchains in one box.
func (t Trial) upgradeIn(ctx context.Context, toolchains []string, box cgroup.Limits) (tuning.UpgradeBox, error) {
	r := t.Task
	r.Box, r.Variants = box, nil
	r.ProfileTime, r.TraceTime, r.FlightTime, r.NoTrace = 0, 0, 0, true // hone compare says why
	r.Seed = cmp.Or(r.Seed, uint64(time.Now().UnixNano()))
	for i, name := range toolchains {
		v := t.program()
		v.Name, v.Toolchain = string(rune('A'+i)), name
		r.Variants = append(r.Variants, v)
	}
	out, err := service.Measure(ctx, t.Lab, r)
	one := tuning.UpgradeBox{Limits: box, Outcome: out}
	if err != nil {
		one.Failure = inOneLine(err)
	}
	if out == nil || out.Comparison == nil {
		return one, err
	}
	one.Comparison = out.Comparison.ID
	for i, run := range out.Runs {
		one.Rows = append(one.Rows, upgradeRow(toolchains[i], run, out.Comparison.Contests, i))
	}
	if err != nil {
		return one, err
	}
	for i := range one.Rows {
		row := &one.Rows[i]
		if !slices.ContainsFunc(row.Verdicts, hasParts) {
			continue
		}
		t.Task.Box = box
		if row.Parts, err = t.parts(ctx, toolchains[0], row.Toolchain); err != nil {
			if row.Parts.Failure = inOneLine(err); ctx.Err() != nil {
				return one, err
			}
		}
	}
	return one, nil
}

// hasParts says whether a verdict calls a measure different that can be divided among the parts of a release.
func hasParts(v judge.Verdict) bool {
	return v.Word.Different() && slices.Contains(partMeasures, v.Measure.Key)
}

// inOneLine is the text of an error for a table.
func inOneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

func upgradeRow(toolchain string, r record.Run, contests []record.Contest, side int) tuning.UpgradeRow {
	row := tuning.UpgradeRow{Toolchain: toolchain, GoVersion: r.Binary.GoVersion, Run: r.ID,
		PeakRSSBytes: r.PeakRSSBytes}
	if r.CPUNanos != nil {
		row.CPUNanos = r.CPUNanos.Value
	}
	if r.Latency != nil {
		row.P99 = r.Latency.P99
	}
	if b := r.Box; b != nil {
		row.GOMAXPROCS, row.Throttled = b.GOMAXPROCS, b.ThrottledShare
	}
	for _, c := range contests {
		if c.B != side || side == 0 {
			continue
		}
		row.Word = c.Word
		for _, v := range c.Verdicts {
			if slices.Contains(UpgradeMeasures, v.Measure.Key) {
				row.Verdicts = append(row.Verdicts, v)
			}
		}
	}
	return row
}
