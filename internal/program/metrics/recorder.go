package metrics

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gohone/hone/internal/text/fail"
)

// RunOptions say what to record of a run.
type RunOptions struct {
	// Run is the run's id, the label run of all its series.
	Run string
	// Variant is the label variant of all its series: the letter in a comparison. A run by itself has none.
	Variant string
	// Interval is the time between scrapes; 0 is DefaultInterval.
	Interval time.Duration
	// Sources are what hone knows by itself, by job.
	Sources map[string]prometheus.Gatherer
	// Resume goes on with the file of a recorder that died.
	Resume bool
}

// DefaultInterval is the time between scrapes unless said otherwise. Prometheus' own default is a minute, the published
// rig's 5 s: a run is short.
const DefaultInterval = time.Second

// longestScrape is how long a page may take, and how long Visit and Leave wait for it.
const longestScrape = 10 * time.Second

// Recorder records the metrics of a run until Stop. Its methods are for one goroutine.
type Recorder struct {
	store    Store
	run      RunOptions
	timeout  time.Duration
	client   *http.Client
	own      *loop
	subject  *loop             // of the program's page; nil without one
	reported map[string]string // what Faults returned last, by job

	mu     sync.Mutex // of what the loops write
	file   *os.File
	out    *writer
	failed error             // of the file
	faults map[string]string // of the last scrape, by job; empty: none
	series map[string]int    // the most that a scrape brought, by job
}

// Record begins to record. The run must have no series yet, unless it is resumed.
//
// Errors are of kind fail.Storage; that a target does not answer is not an error (see Faults).
func (s Store) Record(run RunOptions) (*Recorder, error) {
	if !runID.MatchString(run.Run) {
		return nil, fail.New(fail.BadInput, "record metrics: %q is not the id of a run", run.Run)
	}
	if run.Interval <= 0 {
		run.Interval = DefaultInterval
	}
	file, out, err := s.begin(run)
	if err != nil {
		return nil, explain(err, "record metrics of run %s", run.Run)
	}
	r := &Recorder{
		store: s, run: run, timeout: min(run.Interval, longestScrape), file: file, out: out,
		// to pack a page takes time from the program
		client:   &http.Client{Transport: &http.Transport{DisableCompression: true}},
		reported: map[string]string{}, faults: map[string]string{}, series: map[string]int{},
	}
	var own []target
	for _, job := range slices.Sorted(maps.Keys(run.Sources)) {
		own = append(own, target{job: job, instance: "hone", look: gathered(run.Sources[job])})
	}
	r.own = r.watch(run.Interval, own...)
	return r, nil
}

// Visit has the program's page scraped until Leave: every interval, or only at both ends. Then the first scrape is over
// when Visit returns. In a comparison the instance is the variant: each of its starts may have another port, and they
// shall be one series.
func (r *Recorder) Visit(at url.URL, onlyEnds bool) {
	r.Leave()
	instance := at.Host
	if r.run.Variant != "" {
		instance = r.run.Variant
	}
	t := target{job: JobSubject, instance: instance, look: page(r.client, at.String())}
	if onlyEnds {
		r.take(t, false)
		r.subject = r.hold(t)
		return
	}
	r.subject = r.watch(r.run.Interval, t)
}

// Leave scrapes the program's page a last time and lets it go; it does nothing if there is none. Faults is to be asked
// before.
func (r *Recorder) Leave() {
	if r.subject != nil {
		r.subject.stop()
		r.subject = nil
		r.client.CloseIdleConnections()
	}
}

// loop scrapes targets until stop, which scrapes them a last time.
type loop struct {
	end  chan struct{}
	done sync.WaitGroup
	last func()
}

func (l *loop) stop() {
	close(l.end)
	l.done.Wait()
	l.last()
}

// hold keeps targets for a last scrape only.
func (r *Recorder) hold(all ...target) *loop {
	return &loop{end: make(chan struct{}), last: func() {
		for _, t := range all {
			r.take(t, true)
		}
	}}
}

// watch scrapes targets at once and then every interval.
func (r *Recorder) watch(interval time.Duration, all ...target) *loop {
	l := r.hold(all...)
	l.done.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			for _, t := range all {
				r.take(t, false)
			}
			select {
			case <-tick.C:
			case <-l.end:
				return
			}
		}
	})
	return l
}

// take scrapes a target and writes what it said.
func (r *Recorder) take(t target, last bool) {
	s, series, err := t.scrape(r.timeout)
	s.Last = last
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults[t.job] = ""
	if err != nil {
		r.faults[t.job] = fmt.Sprintf("metrics of %s (%s): %v; there is a gap in the record", t.job, t.instance, err)
	}
	r.series[t.job] = max(r.series[t.job], series)
	if r.failed == nil {
		r.failed = r.out.record(s.append(nil))
	}
}

// Interval is the time between scrapes.
func (r *Recorder) Interval() time.Duration { return r.run.Interval }

// Series is how many series the fullest scrapes of all targets brought.
func (r *Recorder) Series() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, one := range r.series {
		n += one
	}
	return n
}

// Faults says what is wrong with the targets, where that is new since it was last asked: a page that is gone, too
// large, or no metrics. The record has a gap there.
func (r *Recorder) Faults() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var faults []string
	for job, text := range r.faults {
		if text != "" && text != r.reported[job] {
			faults = append(faults, text)
		}
		r.reported[job] = text
	}
	slices.Sort(faults)
	return faults
}

// Stop asks every target a last time, packs what was recorded and ends. The program must still be there.
func (r *Recorder) Stop() error {
	r.Leave()
	r.own.stop()
	err := errors.Join(r.failed, r.file.Close())
	if err == nil {
		err = r.store.pack(r.run.Run)
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		// The run's own record is worth more than its series, and needs the room.
		return fail.New(fail.Storage, "metrics of run %s were given up: %w", r.run.Run,
			errors.Join(err, r.store.Remove(r.run.Run)))
	}
	return explain(err, "keep metrics of run %s", r.run.Run)
}

// begin opens the file of a run that goes on. What a recorder that died left torn is cut off.
func (s Store) begin(run RunOptions) (file *os.File, out *writer, err error) {
	home, err := s.make()
	if err != nil {
		return nil, nil, err
	}
	defer home.Close()
	if run.Resume {
		if file, err = home.Update(partName(run.Run)); err != nil {
			return nil, nil, err
		}
	} else {
		if _, err := home.Stat(partName(run.Run)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err // a link, which Create would call a file that exists
		}
		if file, err = home.Create(partName(run.Run)); err != nil {
			return nil, nil, err
		}
	}
	end := int64(0)
	if old, err := Read(file); err == nil {
		for _, err := range old.All() {
			if err != nil {
				break
			}
		}
		end = old.whole
	}
	out, err = newWriter(file)
	if err == nil {
		err = file.Truncate(end)
	}
	if err == nil {
		_, err = file.Seek(end, io.SeekStart)
	}
	if err == nil && end == 0 {
		err = out.header(Header{Run: run.Run, Variant: run.Variant, Interval: run.Interval})
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, out, nil
}
