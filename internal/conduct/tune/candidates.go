package tune

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
)

// verifyPercents are the values of GOGC that a verification tries.
var verifyPercents = []int{200, 400, 800}

// candidates are the settings to try; what is so already, or cannot matter, goes to out.Skipped.
func (t Trial) candidates(
	ctx context.Context, run record.Run, cpu *profile.Profile, kinds []string, dir string, out *tuning.Verification,
) ([]tuning.Setting, error) {
	v, all := t.program(), []tuning.Setting(nil)
	still := stillCollector(run)
	if slices.Contains(kinds, spec.SettingPGO) {
		guided, skip, err := pgo(v, run.Binary.Dir, cpu, dir)
		switch {
		case err != nil:
			return nil, err
		case skip != nil:
			out.Skipped = append(out.Skipped, *skip)
		default:
			all = append(all, *guided)
		}
	}
	switch {
	case !slices.Contains(kinds, spec.SettingGC):
	case still == "":
		all = append(all, t.collectorSettings(run)...)
	default:
		out.Skipped = append(out.Skipped, tuning.Skipped{Name: "GOGC, GOMEMLIMIT", Reason: still})
	}
	if slices.Contains(kinds, spec.SettingProcs) {
		procs, skipped := procsFor(v, run)
		all, out.Skipped = append(all, procs...), append(out.Skipped, skipped...)
	}
	if slices.Contains(kinds, spec.SettingExperiment) {
		chosen, skipped, err := experimentsFor(ctx, v, t.buildDir(run), cpu)
		if err != nil {
			return nil, err
		}
		all, out.Skipped = append(all, chosen...), append(out.Skipped, skipped...)
	}
	if slices.Contains(kinds, spec.SettingMemory) {
		smaller, skipped := memorySettings(v, run)
		all, out.Skipped = append(all, smaller...), append(out.Skipped, skipped...)
	}
	return all, nil
}

// memorySettings are what the account of a run's memory names to shrink its largest parts: as many as one round has.
func memorySettings(v build.Variant, run record.Run) (all []tuning.Setting, skipped []tuning.Skipped) {
	skip := func(name, format string, args ...any) {
		skipped = append(skipped, tuning.Skipped{Name: name, Reason: fmt.Sprintf(format, args...)})
	}
	if run.Memory == nil {
		skip("settings for memory", "run %s does not say where its memory was: measure it again, on Linux and with the probe",
			run.ID)
		return nil, skipped
	}
	named := run.Memory.Settings()
	if len(named) == 0 {
		skip("settings for memory", "no setting shrinks a large part of it (hone profile memory %s says what does)", run.ID)
	}
	for _, one := range named {
		name, value, _ := strings.Cut(one.Setting, "=")
		if now, _ := setting(v, name); now == value {
			skip(one.Setting, "it is so already")
		} else if len(all) == fewSettings {
			skip(one.Setting, "%d others shrink larger parts", fewSettings)
		} else {
			all = append(all, tuning.Setting{Name: one.Setting, Kind: spec.SettingMemory, Does: one.Part,
				Env: []string{one.Setting}})
		}
	}
	return all, skipped
}

// stillCollector says why no setting of the collector can matter to the program of a run; empty if
// one can, or if its runtime was not read.
func stillCollector(run record.Run) string {
	switch r := run.Runtime; {
	case r == nil:
		return ""
	case run.GCCycles == 0:
		return "the collector did not run while the run was measured"
	case r.GCShare != nil && *r.GCShare < leastShare:
		return fmt.Sprintf("the collector takes %.2g %% of the CPU time of the run, under %g %%", 100**r.GCShare,
			100*leastShare)
	default:
		return ""
	}
}

// buildDir is where go is asked about the build of a run.
func (t Trial) buildDir(run record.Run) string {
	if run.Binary.Checkout == nil && filepath.IsAbs(run.Binary.Dir) {
		return run.Binary.Dir
	}
	return t.Lab.WorkDir
}

// collectorSettings is a small sweep: values of GOGC, and a collector that runs near a limit only.
func (t Trial) collectorSettings(run record.Run) []tuning.Setting {
	percents, err := t.percents(verifyPercents)
	if err != nil { // the program has the only one already
		percents = nil
	}
	all := append(gogc(percents, 0), withLimit(roomTimes*run.PeakRSSBytes)...)
	for i := range all {
		all[i].Kind = spec.SettingGC
	}
	return all
}

// procsFor are values of GOMAXPROCS: 1, the CPUs that the program has, and twice as many, but for
// the one that it has.
func procsFor(v build.Variant, run record.Run) (all []tuning.Setting, skipped []tuning.Skipped) {
	cpus := runtime.GOMAXPROCS(0) // of hone's control group
	if n := len(run.Environment.SubjectCPUs); n > 0 {
		cpus = min(cpus, n)
	}
	now := cpus
	if text, ok := setting(v, "GOMAXPROCS"); ok {
		if n, err := strconv.Atoi(text); err == nil && n > 0 {
			now = n
		}
	}
	var seen []int
	for _, n := range []int{1, cpus, 2 * cpus} {
		name := fmt.Sprintf("GOMAXPROCS=%d", n)
		switch {
		case slices.Contains(seen, n):
		case n == now:
			skipped = append(skipped, tuning.Skipped{Name: name,
				Reason: fmt.Sprintf("it is so already: the program ran on %d CPU(s)", cpus)})
		default:
			all = append(all, tuning.Setting{Name: name, Kind: spec.SettingProcs, Env: []string{name}})
		}
		seen = append(seen, n)
	}
	return all, skipped
}
