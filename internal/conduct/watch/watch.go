package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/panels"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/text/vitals"
)

// Config says what is watched and how.
type Config struct {
	Target Target
	// Started is the program that was started for Target.Package.
	Started *Started
	// Input has the lines of gctrace of Target.Trace. It is closed in the end if it is an
	// io.Closer.
	Input io.Reader
	// Interval is the time between readings, Duration how long to watch; 0 is without end.
	Interval, Duration time.Duration
	// Grace is how long a service may be gone before the watch ends; Follow waits for it to
	// come back for as long as it takes.
	Grace  time.Duration
	Follow bool
	// Ledger is the directory that runs are saved to.
	Ledger string
	// Profile takes profiles now and stores them as a run; nil where there are none to take,
	// for the reason NoProfile. It is called from one goroutine.
	Profile   func(ctx context.Context) (run string, warnings []string, err error)
	NoProfile string
	// Keys are shown at the lower edge.
	Keys []panels.Key

	check *httpCheck // of the target, for all that ask it
}

// capacity is how many readings are kept, and saved: two hours at one per second, 6 MB.
const capacity = 7200

// Display is where readings are shown. It is called from one goroutine, and must not wait.
type Display interface {
	// Show gets the picture, and the newest reading in it.
	Show(panels.State, *vitals.Reading)
}

// Action is something that the user asks for.
type Action uint8

// The actions, by what they do.
const (
	TakeProfile Action = iota
	SetMark
	Save
	Quit
)

// Kept is a run that was stored.
type Kept struct {
	Run  string
	What string // Profiles or Readings
}

// What is kept in a run.
const (
	Profiles = "profiles"
	Readings = "readings"
)

// Watch is one watching of one service.
type Watch struct {
	config  Config
	actions chan Action
	display Display

	gather  *gatherer
	title   func() string
	begun   time.Time
	history *vitals.History
	marks   []vitals.Mark
	notes   []string
	kept    []Kept
	missing error     // why the service is gone
	since   time.Time // when it went

	jobs    chan job // ends of what runs beside the readings
	running map[string]bool
	turn    chan struct{} // held by the job that works
}

// job is the end of a profile or of saving.
type job struct {
	what     string
	run      string
	warnings []string
	err      error
}

// New checks the configuration. Errors are fail.BadInput.
func New(c Config, display Display) (*Watch, error) {
	var faults []error
	if c.Interval < shortestInterval || c.Interval > longestInterval {
		faults = append(faults, fmt.Errorf("interval is %v, want %v to %v", c.Interval, shortestInterval,
			longestInterval))
	}
	if c.Duration < 0 {
		faults = append(faults, fmt.Errorf("duration is %v, want 0 or more", c.Duration))
	}
	if c.Follow && c.Target.HostPort == "" {
		faults = append(faults,
			errors.New("only an address can be followed: a process does not come back, a package is hone's own to start"))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, fail.New(fail.BadInput, "%w", err)
	}
	return &Watch{
		config: c, actions: make(chan Action, 8), display: display, history: vitals.NewHistory(capacity),
		jobs: make(chan job, 2), running: map[string]bool{}, turn: make(chan struct{}, 1),
	}, nil
}

// Bounds of the interval: more often would be a load, more seldom no watching.
const (
	shortestInterval = 100 * time.Millisecond
	longestInterval  = time.Minute
)

// Do asks for an action. It may be called from any goroutine, and does not wait: one that
// comes while many wait is lost.
func (w *Watch) Do(a Action) {
	select {
	case w.actions <- a:
	default:
	}
}

// Kept are the runs that were stored, once Run has returned.
func (w *Watch) Kept() []Kept { return w.kept }

// Run reads and shows until the duration is over, the user quits, the service is gone, or
// ctx ends. Errors: fail.Subject if the service is gone or never was there, with the
// reason; fail.BadInput for an input without a line of gctrace; fail.Interrupted; and that
// of readings which could not be saved at the last moment.
func (w *Watch) Run(ctx context.Context) error {
	sources, title := w.config.sources(ctx)
	return w.run(ctx, sources, title)
}

func (w *Watch) run(ctx context.Context, sources []source, title func() string) (err error) {
	jobCtx, endJobs := context.WithCancel(ctx)
	w.title, w.begun = title, time.Now()
	w.gather = newGatherer(ctx, sources, w.config.Interval)
	defer func() {
		w.gather.close()
		endJobs()
		for len(w.running) > 0 {
			j := <-w.jobs
			w.finish(j)
			if j.err != nil && (j.what == Readings || fail.KindOf(j.err) == fail.Storage) { // a note would not be seen
				err = errors.Join(err, j.err)
			}
		}
	}()
	ticks := time.NewTicker(w.config.Interval)
	defer ticks.Stop()
	var over <-chan time.Time
	if w.config.Duration > 0 {
		timer := time.NewTimer(w.config.Duration)
		defer timer.Stop()
		over = timer.C
	}
	for {
		switch err := w.tick(); {
		case errors.Is(err, errInputEnded):
			return nil
		case err != nil:
			return err
		}
		if done, err := w.between(ctx, jobCtx, ticks.C, over); done {
			return err
		}
	}
}

// between does what is asked for until the next tick. done says that the watch is over.
func (w *Watch) between(ctx, jobCtx context.Context, tick, over <-chan time.Time) (done bool, err error) {
	for {
		select {
		case <-tick:
			return false, nil
		case a := <-w.actions:
			if a == Quit {
				return true, nil
			}
			w.act(jobCtx, a)
			w.show()
		case j := <-w.jobs:
			w.finish(j)
			w.show()
		case <-over:
			return true, nil
		case <-ctx.Done():
			return true, fail.New(fail.Interrupted, "interrupted")
		}
	}
}

// tick takes a reading and shows it. The error ends the watch.
func (w *Watch) tick() error {
	r, err := w.gather.round()
	if err != nil {
		return err
	}
	w.history.Add(r)
	end := w.judge(r)
	if end != nil && w.config.Target.HostPort != "" && !w.wasThere() { // there is nothing to show but the reason
		return w.neverThere(end)
	}
	w.show()
	return end
}

// judge notes that the service went or came back, and says when it is time to give up.
func (w *Watch) judge(r vitals.Reading) error {
	if why := w.gather.exhausted(); why != nil {
		return fail.New(fail.Subject, "nothing of %s can be watched: %w", w.config.Target.Word, why)
	}
	gone := w.gather.whyEnded()
	switch {
	case gone == nil:
		if w.missing != nil {
			w.note("back after %s", units.Seconds(r.At.Sub(w.since)))
		}
		w.missing = nil
		return nil
	case w.missing == nil:
		w.since, w.missing = r.At, gone
		w.note("gone: %v", firstLine(gone))
	}
	gone = w.missing // what is found out later says less
	if w.config.Target.Trace {
		return w.endOfInput(gone, r.At)
	}
	if w.config.Follow || r.At.Sub(w.since) < w.config.Grace && w.wasThere() {
		return nil
	}
	var known *fail.Error
	if errors.As(gone, &known) {
		return fail.New(known.Kind, "%w", gone)
	}
	err := fail.New(fail.Subject, "%s is gone: %w", w.config.Target.Word, gone)
	if w.config.Target.HostPort == "" { // there is nothing to follow
		return err
	}
	return err.WithHint("--follow waits for it to come back")
}

// neverThere is the error for an address at which nothing answers.
func (w *Watch) neverThere(end error) error {
	if w.missing == nil || fail.KindOf(end) != fail.Subject {
		return end
	}
	return fail.New(fail.Subject, "nothing answers at %s: %s", w.config.Target.Word, firstLine(w.missing)).
		WithHint("start it, or name its port; --follow waits for it; hone watch ./cmd/server builds and starts a program")
}

// endOfInput ends the watch of an input that has ended: well, if it had something.
func (w *Watch) endOfInput(gone error, now time.Time) error {
	if errors.Is(gone, errNoTrace) {
		return fail.New(fail.BadInput, "%w", gone).WithHint("GODEBUG=gctrace=1 ./server 2>&1 | hone watch -")
	}
	if now.Sub(w.since) < w.config.Grace {
		return nil
	}
	return errInputEnded
}

// errInputEnded is the good end of an input.
var errInputEnded = errors.New("the input has ended")

// wasThere says that something was known before.
func (w *Watch) wasThere() bool {
	for i := range w.history.Len() {
		if !w.history.At(i).Empty() {
			return true
		}
	}
	return false
}

// mostNotes bounds the notes that are kept for the picture.
const mostNotes = 5

func (w *Watch) note(format string, args ...any) {
	w.notes = append(w.notes, time.Now().Format("15:04:05")+" "+fmt.Sprintf(format, args...))
	w.notes = w.notes[max(0, len(w.notes)-mostNotes):]
}

// firstLine is what of an error fits a line: that of a program quotes its output.
func firstLine(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}

// show hands the picture out.
func (w *Watch) show() {
	s := panels.State{
		Title: redact.Text(cmp.Or(w.title(), w.config.Target.Word)), Keys: w.config.Keys,
		Groups:   []panels.Group{{History: w.history.Tail(panels.MostColumns)}},
		Marks:    append([]vitals.Mark(nil), w.marks...),
		Notes:    redact.Strings(w.notes, redact.Text),
		Warnings: redact.Strings(w.gather.warnings(time.Now()), redact.Text), // they quote addresses
	}
	if w.config.Duration > 0 {
		s.Phase, s.Total = "watch", w.config.Duration
		s.Done = min(s.Total, time.Since(w.begun))
	}
	if w.missing != nil {
		s.Phase, s.Total = "gone for "+units.Seconds(time.Since(w.since).Round(time.Second)), 0
		if w.config.Target.Trace {
			s.Phase = "the input has ended"
		}
	}
	w.display.Show(s, w.history.Last())
}
