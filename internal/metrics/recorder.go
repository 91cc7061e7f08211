package metrics

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
	"github.com/prometheus/prometheus/tsdb/chunks"

	"github.com/gohone/hone/internal/fail"
)

// RunOptions say what to record of a run.
type RunOptions struct {
	// Run is the run's id, the label run of all its series.
	Run string
	// Variant is the label variant of all its series: the letter in a comparison. A run
	// by itself has none.
	Variant string
	// Interval is the time between scrapes; 0 is DefaultInterval.
	Interval time.Duration
	// Page is where the subject serves its metrics; nil if it does not. Visit names
	// another one later.
	Page *url.URL
	// Sources are what hone knows by itself, by job.
	Sources map[string]prometheus.Gatherer
	// Resume goes on with the log of a recorder that died.
	Resume bool
}

// DefaultInterval is the time between scrapes unless said otherwise. Prometheus' own
// default is a minute, the published rig's 5 s: a run is short.
const DefaultInterval = time.Second

// Recorder records the metrics of a run until Stop. Its methods are for one goroutine;
// what Queryable, Gatherer and Metadata return may be used by others.
type Recorder struct {
	store    Store
	run      string
	variant  string
	interval time.Duration
	db       *tsdb.DB
	pages    *pages
	own      prometheus.Gatherers
	hone     *scraper          // of what hone knows by itself
	reported map[string]string // what Faults returned last, by job

	mu      sync.Mutex
	subject *scraper            // of the subject's page; nil without one
	known   map[string]Metadata // of pages that were left
}

// Record begins to record. The run must have no series yet, unless it is resumed.
//
// Errors are of kind fail.Storage; a target that does not answer is none (see Faults).
func (s Store) Record(r RunOptions) (*Recorder, error) {
	if !runID.MatchString(r.Run) {
		return nil, fail.New(fail.BadInput, "record metrics: %q is not the id of a run", r.Run)
	}
	if r.Interval <= 0 {
		r.Interval = DefaultInterval
	}
	err := s.makeRun(partName(r.Run))
	if r.Resume && errors.Is(err, fs.ErrExist) {
		err = errors.Join(s.check(partName(r.Run)), s.remove(wholeName(r.Run)+unfinishedSuffix))
	}
	if err != nil {
		return nil, explain(err, "record metrics of run %s", r.Run)
	}
	// Its own counters are of no interest.
	db, err := tsdb.Open(s.part(r.Run), quiet(), prometheus.NewRegistry(), databaseOptions(), tsdb.NewDBStats())
	if err != nil {
		return nil, fail.New(fail.Storage, "record metrics of run %s: %w", r.Run, err)
	}
	rec := &Recorder{
		store: s, run: r.Run, variant: r.Variant, interval: r.Interval, db: db, pages: serve(r.Sources, r.Interval),
		reported: map[string]string{}, known: map[string]Metadata{},
	}
	for _, g := range r.Sources {
		rec.own = append(rec.own, g)
	}
	if err := rec.begin(r); err != nil {
		rec.stopScrapers()
		rec.pages.close()
		err = errors.Join(err, db.Close())
		if !r.Resume {
			err = errors.Join(err, s.remove(partName(r.Run)))
		}
		return nil, fail.New(fail.Storage, "record metrics of run %s: %w", r.Run, err)
	}
	return rec, nil
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// databaseOptions are those of a small database of one run: nothing ages.
func databaseOptions() *tsdb.Options {
	o := tsdb.DefaultOptions()
	o.RetentionDuration = (100 * 365 * 24 * time.Hour).Milliseconds()
	o.NoLockfile = true // the ledger's lock is held
	o.StripeSize = 1 << 10
	o.HeadChunksWriteBufferSize = chunks.MinWriteBufferSize
	return o
}

// begin scrapes what hone knows by itself, and the page if there is one.
func (r *Recorder) begin(record RunOptions) error {
	var jobs []job
	for name := range record.Sources {
		jobs = append(jobs, job{name: name, page: url.URL{Scheme: "http", Host: inProcess, Path: "/" + name}, instance: "hone"})
	}
	var err error
	if r.hone, err = r.scrape(jobs, timing{interval: r.interval, timeout: r.interval}); err != nil || record.Page == nil {
		return err
	}
	return r.Visit(*record.Page, false)
}

// Visit has the subject's page scraped until Leave: every interval, or only at both ends.
// Then the first scrape is over when Visit returns, unless the page takes longer than the
// interval. In a comparison the instance is the variant: each of its starts may have
// another port, and they shall be one series.
func (r *Recorder) Visit(page url.URL, onlyEnds bool) error {
	r.Leave()
	instance := page.Host
	if r.variant != "" {
		instance = r.variant
	}
	at := timing{interval: r.interval, timeout: r.interval}
	if onlyEnds {
		at.interval, at.atOnce = never, true
	}
	s, err := r.scrape([]job{{name: JobSubject, page: page, instance: instance}}, at)
	if err != nil {
		return fail.New(fail.BadInput, "scrape %s: %w", page.Redacted(), err)
	}
	r.mu.Lock()
	r.subject = s
	r.mu.Unlock()
	if onlyEnds {
		s.awaitFirst(r.interval)
	}
	return nil
}

// Leave scrapes the subject's page a last time and lets it go; it does nothing if there
// is none. Faults is to be asked before.
func (r *Recorder) Leave() {
	r.mu.Lock()
	s := r.subject
	r.mu.Unlock()
	if s == nil {
		return
	}
	described := s.metadata() // the targets go with the scraper
	s.stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.subject = nil
	maps.Copy(r.known, described)
}

// scrapers are those there are.
func (r *Recorder) scrapers() []*scraper {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []*scraper
	for _, s := range []*scraper{r.hone, r.subject} {
		if s != nil {
			all = append(all, s)
		}
	}
	return all
}

func (r *Recorder) stopScrapers() {
	r.Leave()
	if r.hone != nil {
		r.hone.stop()
	}
}

// dial connects to hone's own pages in memory, and to all else by the network.
func (r *Recorder) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if host, _, err := net.SplitHostPort(address); err == nil && host == inProcess {
		return r.pages.listener.dial(ctx)
	}
	var d net.Dialer
	return d.DialContext(ctx, network, address)
}

// Queryable is what has been recorded so far.
func (r *Recorder) Queryable() storage.Queryable { return r.db }

// Gatherer is all that hone knows by itself, as its own page shows it.
func (r *Recorder) Gatherer() prometheus.Gatherer { return r.own }

// Interval is the time between scrapes.
func (r *Recorder) Interval() time.Duration { return r.interval }

// Series is how many series have been recorded.
func (r *Recorder) Series() int { return int(r.db.Head().NumSeries()) }

// Faults says what is wrong with the targets, where that is new since it was last asked:
// a page that is gone, too large, or no metrics. The record has a gap there.
func (r *Recorder) Faults() []string {
	var faults []string
	for _, s := range r.scrapers() {
		for name, targets := range s.manager.TargetsActive() {
			for _, t := range targets {
				text := ""
				if err := t.LastError(); err != nil {
					text = plain(err)
				}
				if text != "" && text != r.reported[name] {
					faults = append(faults, fmt.Sprintf("metrics of %s (%s): %s; there is a gap in the record", name, t.URL(), text))
				}
				r.reported[name] = text
			}
		}
	}
	return faults
}

// plain says what Prometheus says without its settings, which hone does not have.
func plain(err error) string {
	text, _, _ := strings.Cut(err.Error(), " and no fallback_scrape_protocol")
	return strings.Replace(text, "received unsupported Content-Type", "the page is not metrics but", 1)
}

// Stop asks every target a last time, writes what was recorded as the run's snapshot and
// ends. The subject must still be there.
func (r *Recorder) Stop() error {
	described := r.Metadata()
	r.stopScrapers()
	r.pages.close()
	err := r.snapshot(described)
	if closing := r.db.Close(); err == nil {
		err = closing
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		// The run's own rows are worth more than its series, and need the room.
		return fail.New(fail.Storage, "metrics of run %s were given up: %w", r.run, errors.Join(err, r.store.Remove(r.run)))
	}
	if err == nil { // else the log of the run stays: it is read as that of a run that died
		err = r.store.remove(partName(r.run))
	}
	return explain(err, "keep metrics of run %s", r.run)
}

// makePrivate takes the files below dir, which the database made for everybody to read, from
// all but their owner, like every other file of the ledger.
func makePrivate(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		return os.Chmod(path, 0o600)
	})
}

// snapshot writes the run's directory; it is there whole or not at all.
func (r *Recorder) snapshot(described map[string]Metadata) error {
	if r.db.Head().NumSeries() == 0 && len(r.db.Blocks()) == 0 {
		return nil
	}
	whole := wholeName(r.run)
	if err := r.store.makeRun(whole + unfinishedSuffix); err != nil {
		return err
	}
	unfinished := r.store.whole(r.run) + unfinishedSuffix
	runtime.GC() // for the memory of the block: the load is over, and garbage may fill half of it
	err := r.db.Snapshot(unfinished, true)
	if err == nil {
		err = errors.Join(writeMetadata(unfinished, described), makePrivate(unfinished))
	}
	if err == nil {
		err = r.store.rename(whole+unfinishedSuffix, whole)
	}
	if err != nil {
		return errors.Join(err, r.store.remove(whole+unfinishedSuffix))
	}
	return nil
}
