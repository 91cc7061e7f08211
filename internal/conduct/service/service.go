package service

import (
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/capture"
	"github.com/gohone/hone/internal/conduct/finder"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/judge/answers"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/needs"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/program/recorder"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

// service is one variant under load, over all of its starts.
type service struct {
	*lab.Side
	home      *build.Place  // where it runs
	hidesHone bool          // its starts do not show hone, see checkGains
	runs      int           // how often it was started
	found     *finder.Place // where the first start was loaded, if the target was not named
	// assumption says what was assumed about a target that was not named.
	assumption string
	// targets are the names of the targets that the load tells apart, judged those of them that a comparison rules on.
	targets, judged []string

	latest   latestStart
	timed    timed.Load
	profiles capture.Profiles
	replies  replies

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
	// slowStop is what it took to stop the program, the latest time that TERM alone did not do.
	slowStop string
}

// replies are the answers that were sampled.
type replies struct {
	answers []answers.Answer // of all starts
	starts  int              // that they are of
	bodies  bodies           // of them
}

// compactSamples does so to the samples that were taken since the last time, and says how many
// bytes of histograms are kept of them.
func (v *service) compactSamples() (histogramBytes int, err error) {
	for ; v.timed.Compacted < len(v.timed.Samples); v.timed.Compacted++ {
		s := &v.timed.Samples[v.timed.Compacted]
		if err := s.Compact(v.timed.Compared, v.targets, v.judged); err != nil {
			return histogramBytes, err
		}
		histogramBytes += s.Packed.Bytes()
		if v.recorder != nil {
			latency, err := s.Packed.Encode()
			if err != nil {
				return histogramBytes, err
			}
			v.recorder.Load(v.Draft.ID(), s.Loaded, latency)
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
	return v.Draft.HoldSlices(0, n)
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
	all := slices.Clone(v.Warnings)
	add := func(text string) {
		if text != "" {
			all = append(all, text)
		}
	}
	if !anyStatus {
		add(redirectWarning(v.latest.target, v.timed.Tally.Codes))
	}
	if v.latest.notes != nil {
		all = append(all, v.latest.notes()...)
	}
	add(v.profiles.RefusedWarning())
	add(timed.UnseenWarning(&v.timed.Covered, &v.profiles.Covered))
	add(v.latest.slowStop)
	add(v.wroteInCheckout())
	if w := v.written; w.Waits > 0 {
		add(fmt.Sprintf("the program wrote %s to its output, faster than hone could read: it had to wait for it %s; "+
			"let it write less",
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
