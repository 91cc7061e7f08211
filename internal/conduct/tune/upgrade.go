package tune

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// UpgradeSchema is that of Upgrade as JSON.
const UpgradeSchema = "hone.upgrade/1"

// Upgrade is what other releases of Go do to a program, in each of some boxes: one comparison for each box.
type Upgrade struct {
	Schema string `json:"schema"`
	// Toolchains are the releases that were compared, the first being what the others are held against.
	Toolchains []string `json:"toolchains"`
	// Missing are those that cannot build the program.
	Missing []MissingToolchain `json:"missing,omitempty"`
	Boxes   []UpgradeBox       `json:"boxes"`
}

// MissingToolchain is a release that was asked for, and why there is nothing about it.
type MissingToolchain struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// UpgradeBox is the comparison in one box.
type UpgradeBox struct {
	cgroup.Limits
	// Comparison is its name in the ledger; empty if nothing was stored. Failure says why it has no verdict.
	Comparison string       `json:"comparison,omitempty"`
	Failure    string       `json:"failure,omitempty"`
	Rows       []UpgradeRow `json:"rows,omitempty"`
	// Outcome is all that was measured, for reports.
	Outcome *lab.Outcome `json:"-"`
}

// UpgradeRow is the program by one toolchain in a box.
type UpgradeRow struct {
	Toolchain string `json:"toolchain"`
	// GoVersion is the release that built it: another name than Toolchain where that is local, auto or path.
	GoVersion string `json:"go_version"`
	Run       string `json:"run"`
	// GOMAXPROCS is what the runtime chose; 0 where it is not known. Throttled is the part of the time, 0 to 1.
	GOMAXPROCS int     `json:"gomaxprocs,omitempty"`
	Throttled  float64 `json:"throttled_share"`
	// CPUNanos and PeakRSSBytes are those of the run, P99 is the latency, in nanoseconds; 0 is not known.
	CPUNanos     float64 `json:"cpu_ns_per_request"`
	P99          int64   `json:"p99_ns"`
	PeakRSSBytes uint64  `json:"peak_rss_bytes"`
	// Word is the verdict against the first toolchain, Verdicts are those on UpgradeMeasures; none of the first.
	Word     judge.Word      `json:"verdict,omitempty"`
	Verdicts []judge.Verdict `json:"verdicts,omitempty"`
}

// UpgradeMeasures are what an upgrade is judged by.
var UpgradeMeasures = []string{measure.CPU.Key, "p99", measure.PeakRSS.Key, measure.Throttled.Key}

// Upgrade measures the program built by each of the toolchains, in each of the boxes. Errors: fail.BadInput if fewer than two of them can
// build it; of a box in which the program fails it says so, and goes on.
func (t Trial) Upgrade(ctx context.Context, toolchains []string, boxes []cgroup.Limits) (*Upgrade, error) {
	u := &Upgrade{Schema: UpgradeSchema}
	for _, name := range toolchains {
		chosen, err := build.ChooseToolchain(ctx, t.program(), t.Lab.WorkDir, name)
		switch {
		case ctx.Err() != nil:
			return nil, fail.New(fail.Interrupted, "interrupted")
		case err != nil:
			u.Missing = append(u.Missing, MissingToolchain{chosen, inOneLine(err)})
		case !slices.Contains(u.Toolchains, chosen):
			u.Toolchains = append(u.Toolchains, chosen)
		}
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

// upgradeIn compares the toolchains in one box.
func (t Trial) upgradeIn(ctx context.Context, toolchains []string, box cgroup.Limits) (UpgradeBox, error) {
	r := t.Request
	r.Box, r.Variants = box, nil
	r.ProfileTime, r.TraceTime, r.FlightTime, r.NoTrace = 0, 0, 0, true // hone compare says why
	r.Seed = cmp.Or(r.Seed, uint64(time.Now().UnixNano()))
	for i, name := range toolchains {
		v := t.program()
		v.Name, v.Toolchain = string(rune('A'+i)), name
		r.Variants = append(r.Variants, v)
	}
	out, err := t.Lab.Measure(ctx, r)
	one := UpgradeBox{Limits: box, Outcome: out}
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
	return one, err
}

// inOneLine is the text of an error for a table.
func inOneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

func upgradeRow(toolchain string, r record.Run, contests []record.Contest, side int) UpgradeRow {
	row := UpgradeRow{Toolchain: toolchain, GoVersion: r.Binary.GoVersion, Run: r.ID, PeakRSSBytes: r.PeakRSSBytes}
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
