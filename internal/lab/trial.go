package lab

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/machine"
	"github.com/gohone/hone/internal/protocol"
	"github.com/gohone/hone/internal/recorder"
	"github.com/gohone/hone/internal/redact"
	"github.com/gohone/hone/internal/subject"
	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/stats"
)

// trial is one variant on its way through a measurement. process, session and quiet
// belong to one start of the subject, the rest to the whole measurement.
type trial struct {
	builds   []*subject.Binary // one for each layout, which take turns
	binary   *subject.Binary   // the first of them
	home     *subject.Place    // where it runs
	runs     int               // how often it was started
	draft    *ledger.Draft
	request  *Request
	starts   []compare.Sample // what each start showed as a whole
	samples  []sample
	moments  []moment
	runtime  subject.Runtime // of all moments together
	seen     coverage        // of the readings of this start so far
	covered  coverage        // of the readings of all starts
	boiled   int             // samples without their histograms, which are large
	saved    int             // samples that the ledger has
	tally    load.Tally      // the timed slices
	account  load.Counts     // all load of all starts, warm-up and captures included
	consumed consumption     // of the timed slices
	peakRSS  uint64
	resident uint64 // at the end of the latest start's timed load
	captures map[string]prof.Capture
	captured coverage // of the CPU profiles
	warnings []string
	output   subject.Output // of the latest start
	written  Output         // over all starts
	// stubborn is what it took to stop the program, the latest time it took anything.
	stubborn string
	// assumption says what was assumed about a target that was not named.
	assumption string
	target     string // as last used, port filled in
	// notes are what the protocol of the latest start has to say; nil before it.
	notes    func() []string
	protocol protocol.Target
	place    *place // where the first start was loaded, if it was not named

	passes     int                       // CPU profiles so far
	pieces     map[string][]prof.Capture // the captures as they were taken
	allocs     []prof.Capture            // of all allocations, sampled at a rate of 1
	unprofiled bool                      // no profile can be had any more; a warning says why

	process *subject.Process
	seed    func() error // runs the command after this start, once
	gauge   *runtimeGauge
	session *load.Session
	warmed  struct { // what the warm-up of this start saw
		answered uint64
		median   time.Duration // of the latency
	}
	quiet time.Duration // how long a drain between slices waits for a silent connection

	recorder *recorder.Recorder // while metrics are recorded, else nil
	metrics  *MetricsRecord     // nil if none were
}

// sample is one timed slice of one variant.
type sample struct {
	block, round int
	turn         int        // its place in the order of its round, from 0
	slice        load.Slice // without its histograms, which are large
	latency      []byte     // the histogram, encoded
	latencies    stats.Distribution
	p50, p99     time.Duration // of latency
	build        int           // which of the variant's layouts
	conditions   machine.Disturbance
	counters     subject.Counters // used during the slice
}

// boil reduces a sample to what is kept of it. It takes a millisecond, and therefore waits
// until no slice follows: what lies between the slices of a pair is time in which the
// machine may change.
//
// The distribution of its latencies is for comparisons only: ten minutes of a run would
// keep 20 MB of them.
func (s *sample) boil(compared bool) error {
	h := s.slice.Latency()
	if h == nil || s.latency != nil {
		return nil
	}
	var err error
	if s.latency, err = s.slice.EncodeLatency(); err != nil {
		return err
	}
	if compared {
		for _, bar := range h.Distribution() {
			if bar.Count > 0 {
				// The highest value of a bar, as h's own quantiles have it.
				s.latencies = append(s.latencies, stats.Bin{Value: float64(max(1, bar.To)), Count: uint64(bar.Count)})
			}
		}
	}
	s.slice.Service, s.slice.Response, s.slice.Lag, s.slice.Age, s.slice.FailedLatency = nil, nil, nil, nil, nil
	return nil
}

// boil reduces the samples that were taken since the last time, and says how many bytes of
// histograms are kept of them.
func (t *trial) boil() (histogramBytes int, err error) {
	for ; t.boiled < len(t.samples); t.boiled++ {
		s := &t.samples[t.boiled]
		if err := s.boil(len(t.request.Variants) > 1); err != nil {
			return histogramBytes, err
		}
		histogramBytes += len(s.latency)
		if t.recorder != nil {
			t.recorder.Load(t.draft.ID(), s.slice, s.latency)
		}
	}
	return histogramBytes, nil
}

// boilAndHold does so too, and keeps room on the disk for what is kept. So a disk that is
// full ends the load, and what was measured until then still fits.
func (t *trial) boilAndHold() error {
	n, err := t.boil()
	if err != nil {
		return err
	}
	return t.draft.HoldSlices(0, n)
}

// consumption is what the subject used up while it served the timed slices.
type consumption struct {
	voluntary, involuntary uint64 // context switches
	allocBytes, allocs     uint64 // from the probe
	gcCycles               uint64
	answered               uint64
	read                   uint64 // of them while the runtime was read
}

// up starts the subject and opens the connections. tmp is for the sockets of the probes and
// the subject's own directory.
func (t *trial) up(ctx context.Context, l *Lab, a Arrangement, cpus []int, tmp string) error {
	r, probeDir := t.request, tmp
	address, err := t.plannedAddress()
	if err != nil {
		return err
	}
	if !t.binary.Probed {
		probeDir = ""
	}
	t.runs++
	t.process, err = subject.Start(ctx, t.builds[t.build()], subject.StartOptions{
		Guard: l.Guard, Target: address, CPUs: cpus, Isolate: a == Namespaces, Dir: t.home.Dir,
		Args: r.Args, ProbeDir: probeDir, DataDir: tmp, ReadyTimeout: r.ReadyTimeout, Grace: r.Grace,
	})
	if err != nil {
		return t.notStarted(err)
	}
	t.seed = sync.OnceValue(func() error { return t.process.AfterStart(ctx, l.WorkDir, t.process.Address()) })
	target, url, err := t.resolveTarget(ctx)
	if err != nil {
		return t.or(err)
	}
	t.target, t.protocol, t.notes = url, target, target.Notes
	if err := t.seed(); err != nil {
		return t.or(err)
	}
	t.session, err = load.Open(ctx, r.Plan, target.Protocol, func(ctx context.Context) (net.Conn, error) {
		conn, err := t.process.Dial(ctx)
		if err != nil {
			return nil, err
		}
		return target.Wrap(ctx, conn)
	})
	if err != nil {
		if died := t.died(); died != nil {
			return died
		}
		if why := t.mismatch(ctx, target, t.request.Protocol); why != nil {
			return why
		}
		return fail.New(fail.Or(fail.Subject, err), "open %d connections to %s: %w", r.Plan.Connections, url, err)
	}
	return nil
}

// build is the layout that the next start, or the present one, runs.
func (t *trial) build() int { return len(t.starts) % len(t.builds) }

// commandLine is what is executed, apart from the directory and the filled-in port.
func (t *trial) commandLine() string {
	words := append([]string{filepath.Base(t.binary.Path)}, t.binary.Variant.Args...)
	return strings.Join(redact.Args(append(words, t.request.Args...)), " ")
}

// warm loads the subject without counting. A fatal doubt here ends the measurement
// early: nothing that follows could be trusted.
func (t *trial) warm(ctx context.Context) error {
	if t.request.WarmUp == 0 {
		t.quiet = t.request.Plan.Timeout
		return nil
	}
	s, err := t.load(ctx, t.request.schedule(t.request.WarmUp), t.request.Plan.Timeout)
	if err != nil {
		return err
	}
	t.warmed.answered = s.Answered
	if h := s.Latency(); h != nil {
		t.warmed.median = time.Duration(h.ValueAtQuantile(50))
	}
	// Silence of a few times the longest answer means that what is outstanding is
	// being withheld; 20 ms covers a scheduler hiccup on a busy machine.
	t.quiet = min(max(20*time.Millisecond, 4*time.Duration(s.Service.Max())), t.request.Plan.Timeout)
	var warm load.Tally
	warm.Add(s)
	if d := load.Invalid(t.request.judge(warm)); d != nil {
		if w := redirectWarning(t.target, warm.Codes); w != "" {
			t.warn("%s", w)
		}
		t.tally.Stalled = max(t.tally.Stalled, warm.Stalled)
		if s.Answered == 0 && d.Name != load.DoubtEndless {
			if why := t.mismatch(ctx, t.protocol, t.request.Protocol); why != nil {
				return why
			}
		}
		return &invalidError{variant: t.letter(), doubt: *d}
	}
	return nil
}

// measure loads the subject for one timed slice of a comparison and keeps the sample. The
// slice ends when nothing is outstanding any more, so that one variant's requests are not
// served on the other's time.
func (t *trial) measure(ctx context.Context, gauge *machine.Gauge, block, round, turn int) error {
	quiet := gauge.Read()
	before, err := t.process.Counters()
	if err != nil {
		return t.or(err)
	}
	s, err := t.load(ctx, t.request.schedule(t.request.Slice), t.quiet)
	if err != nil {
		return err
	}
	after, err := t.process.Counters()
	if err != nil {
		return t.or(err)
	}
	used := after.Since(before)
	disturbance := gauge.Read().Since(quiet).WithOwn(s.WorkerCPU + used.CPU)
	t.keep(sample{block: block, round: round, turn: turn, slice: s, build: t.build(), conditions: disturbance, counters: used})
	return nil
}

// keep adds a slice to what was measured.
func (t *trial) keep(s sample) {
	t.tally.Add(s.slice)
	if h := s.slice.Latency(); h != nil {
		s.p50, s.p99 = time.Duration(h.ValueAtQuantile(50)), time.Duration(h.ValueAtQuantile(99))
	}
	t.samples = append(t.samples, s)
}

// load runs one slice and says when the subject died under it.
func (t *trial) load(ctx context.Context, schedule load.Schedule, drain time.Duration) (load.Slice, error) {
	var s load.Slice
	err := t.session.Run(ctx, load.Stretch{Schedule: schedule, Drain: drain}, func(got load.Slice) { s = got })
	if died := t.died(); died != nil {
		return s, died
	}
	return s, err
}

// died returns the subject's exit as an error, or nil while it lives.
func (t *trial) died() error {
	if t.process == nil {
		return nil
	}
	select {
	case <-t.process.Done():
		return t.process.Exit()
	default:
		return nil
	}
}

// or prefers the subject's death over err, which is often only its consequence.
func (t *trial) or(err error) error {
	if died := t.died(); died != nil {
		return died
	}
	return err
}

// closeSession waits for the answers that are still due, ends the load of this start
// and settles its account. It may be called at any time, also when up failed half-way.
func (t *trial) closeSession(hard context.Context) error {
	t.leaveMetrics()
	if t.session == nil {
		return nil
	}
	if t.died() == nil {
		// What it could not drain is in the account as unanswered.
		_, _ = t.session.Slice(hard, 0, t.request.Plan.Timeout)
	}
	counts, err := t.session.Close()
	t.session = nil
	t.account.Add(counts)
	if err != nil {
		return fail.New(fail.Invalid, "close session: %w", err).
			WithHint("this is a bug in hone's load engine; please report it")
	}
	return nil
}

// down stops the subject. hard, when cancelled, leaves out the grace.
func (t *trial) down(hard context.Context) error {
	if t.process == nil {
		return nil
	}
	p := t.process
	t.process = nil
	report, err := p.Stop(hard)
	if w := report.Warning(); w != "" {
		t.stubborn = w
	}
	t.output = p.Output()
	for _, s := range []subject.Stream{t.output.Stdout, t.output.Stderr} {
		t.written.Written += s.Seen
		t.written.Dropped += s.Dropped
		t.written.Waits += s.Full
	}
	return err
}

// wrote is what the program wrote; nil for nothing.
func (t *trial) wrote() *Output {
	if t.written.Written == 0 {
		return nil
	}
	all := t.written
	return &all
}

// allWarnings are those noted on the way and those that sum up all starts.
func (t *trial) allWarnings() []string {
	all := slices.Clone(t.warnings)
	if w := redirectWarning(t.target, t.tally.Codes); w != "" && len(t.request.Protocol.Expect.Status) == 0 {
		all = append(all, w)
	}
	if t.notes != nil {
		all = append(all, t.notes()...)
	}
	if w := unseenWarning(&t.covered, &t.captured); w != "" {
		all = append(all, w)
	}
	if t.stubborn != "" {
		all = append(all, t.stubborn)
	}
	if w := t.wroteInCheckout(); w != "" {
		all = append(all, w)
	}
	if w := t.written; w.Waits > 0 {
		all = append(all, fmt.Sprintf("the program wrote %s to its output, faster than hone could read: it had to wait for it %s; let it write less",
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

// letter is the variant's name in a comparison, empty in a run.
func (t *trial) letter() string {
	if len(t.request.Variants) == 1 {
		return ""
	}
	return t.binary.Variant.Name
}

// warn notes a warning once.
func (t *trial) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(t.warnings, text) {
		t.warnings = append(t.warnings, text)
	}
}

// invalidError ends a measurement whose own quality rules out any conclusion.
type invalidError struct {
	variant string // empty for a run
	doubt   load.Doubt
}

func (e *invalidError) Error() string {
	if e.variant == "" {
		return e.doubt.Text
	}
	return e.variant + ": " + e.doubt.Text
}

// saveOutput stores what the subject wrote, if it wrote anything.
func (t *trial) saveOutput() error {
	for _, s := range []struct {
		name   string
		stream subject.Stream
	}{{"stdout", t.output.Stdout}, {"stderr", t.output.Stderr}} {
		if s.stream.Seen == 0 {
			continue
		}
		if _, err := t.draft.AddArtefact("output", s.name+".txt", strings.NewReader(s.stream.String())); err != nil {
			return err
		}
	}
	return nil
}
