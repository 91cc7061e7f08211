package lab

import (
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/finder"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/judge/answers"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/needs"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/recorder"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
)

// service is one variant under load, over all of its starts.
type service struct {
	*side
	home     *build.Place  // where it runs
	compared bool          // there are others beside it
	unseen   bool          // its starts do not show hone, see checkGains
	runs     int           // how often it was started
	found    *finder.Place // where the first start was loaded, if the target was not named
	// assumption says what was assumed about a target that was not named.
	assumption string
	// targets are the names of the targets that the load tells apart, judged those of them that a comparison rules on.
	targets, judged []string

	latest   latestStart
	timed    timedLoad
	profiles profiles
	waits    waits
	replies  replies
	holding  *record.Holders // nil where it was not asked for

	account load.Counts   // all load of all starts, warm-up and captures included
	written record.Output // over all starts
	// sharedBytes is by how much the machine's shared memory grew while this variant alone was started, loaded or
	// stopped.
	sharedBytes int64
	secrets     []string                // that commands after its starts answered, as NAME=value
	needFacts   []needs.Facts           // those that serve all starts, then its own, over all starts
	needsUsed   []time.Duration         // the CPU time of each in timed slices
	recorder    *recorder.Recorder      // while metrics are recorded, else nil
	metrics     *record.RecordedMetrics // nil if none were
}

// latestStart is what only the latest start showed.
type latestStart struct {
	target string          // port filled in
	notes  func() []string // what the protocol has to say; nil before the first start
	output output.Streams
	// stubborn is what it took to stop the program, the latest time it took anything.
	stubborn string
}

// timedLoad is what the timed load of all starts showed.
type timedLoad struct {
	starts   []judge.Sample // what each start showed as a whole
	did      []*effects     // what each start of a comparison did besides answering
	samples  []sample
	compact  int        // samples that are compact
	saved    int        // samples that the ledger has
	tally    load.Tally // of all samples
	consumed consumption
	peakRSS  uint64
	moments  []moment            // of the runtime
	runtime  probeclient.Runtime // of all moments together
	covered  coverage            // of the readings
	box      cgroup.Counters     // of all starts together, under load of boxTime
	boxTime  time.Duration
}

// waits are what the traces showed.
type waits struct {
	tracing *record.Tracing  // nil where no trace was read
	digest  *walltime.Digest // of it
}

// replies are the answers that were sampled.
type replies struct {
	answers []answers.Answer // of all starts
	starts  int              // that they are of
	bodies  bodies           // of them
}

// profiles are the captures of one variant as they were taken.
type profiles struct {
	passes  int                       // CPU profiles so far, failed ones too
	refused int                       // of these, how many the program did not allow
	pieces  map[string][]prof.Capture // by kind
	allocs  []prof.Capture            // of all allocations, sampled at a rate of 1
	covered coverage                  // of the CPU profiles
	over    bool                      // no more can be taken; a warning says why
}

// keep adds a slice to what was measured.
func (v *service) keep(s sample) {
	v.timed.tally.Add(s.slice)
	s.Sample = batchOf([]sample{s}).values()
	if h := s.slice.Latency(); h != nil {
		s.p50, s.p99 = time.Duration(h.ValueAtQuantile(50)), time.Duration(h.ValueAtQuantile(99))
	}
	v.timed.samples = append(v.timed.samples, s)
}

// compactSamples does so to the samples that were taken since the last time, and says how many
// bytes of histograms are kept of them.
func (v *service) compactSamples() (histogramBytes int, err error) {
	for ; v.timed.compact < len(v.timed.samples); v.timed.compact++ {
		s := &v.timed.samples[v.timed.compact]
		if err := s.compact(v.compared, v.targets, v.judged); err != nil {
			return histogramBytes, err
		}
		histogramBytes += len(s.histogram)
		if v.recorder != nil {
			v.recorder.Load(v.draft.ID(), s.slice, s.histogram)
		}
	}
	return histogramBytes, nil
}

// compactAndHold does so too, and keeps room on the disk for what is kept. So a disk that is
// full ends the load, and what was measured until then still fits.
func (v *service) compactAndHold() error {
	n, err := v.compactSamples()
	if err != nil {
		return err
	}
	return v.draft.HoldSlices(0, n)
}

// conditions are what the machine did during the slices.
func (v *service) conditions() []machine.Disturbance {
	var all []machine.Disturbance
	for _, s := range v.timed.samples {
		all = append(all, s.conditions)
	}
	return all
}

// wrote is what the program wrote; nil for nothing.
func (v *service) wrote() *record.Output {
	if v.written.Written == 0 {
		return nil
	}
	all := v.written
	return &all
}

// allWarnings are those noted on the way and those that sum up all starts. anyStatus says
// that the user named the right statuses.
func (v *service) allWarnings(anyStatus bool) []string {
	all := slices.Clone(v.warnings)
	add := func(text string) {
		if text != "" {
			all = append(all, text)
		}
	}
	if !anyStatus {
		add(redirectWarning(v.latest.target, v.timed.tally.Codes))
	}
	if v.latest.notes != nil {
		all = append(all, v.latest.notes()...)
	}
	add(v.profiles.refusedWarning())
	add(unseenWarning(&v.timed.covered, &v.profiles.covered))
	add(v.latest.stubborn)
	add(v.wroteInCheckout())
	if w := v.written; w.Waits > 0 {
		add(fmt.Sprintf("the program wrote %s to its output, faster than hone could read: it had to wait for it %s; let it write less",
			units.Bytes(float64(w.Written)), times(w.Waits)))
	}
	return all
}

// times says how often.
func times(n uint64) string {
	if n == 1 {
		return "once"
	}
	return units.Count(n) + " times"
}
