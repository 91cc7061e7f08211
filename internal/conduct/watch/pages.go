package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/pprofhttp"
	"github.com/gohone/hone/internal/text/vitals"
)

// pages reads the pages of net/http/pprof.
type pages struct {
	client *http.Client
	base   string // ends without a slash
	// born is when the program started, if that is known.
	born func() (time.Time, bool)

	noIndex bool // goroutines are counted by their own page
	last    *memStats
	cycles  vitals.Counter
	allocs  vitals.Counter
	lately
}

func newPages(base string, born func() (time.Time, bool)) *pages {
	return &pages{client: newClient(), base: strings.TrimSuffix(base, "/"), born: born, lately: newLately()}
}

func (p *pages) name() string { return "pprof pages" }

func (p *pages) close() { p.client.CloseIdleConnections() }

func (p *pages) read(ctx context.Context) (vitals.Reading, error) {
	var r vitals.Reading
	var m *memStats
	err := get(ctx, p.client, p.base+"/heap?debug=1", "", func(answer *http.Response) (err error) {
		m, err = parseMemStats(answer.Body)
		return err
	})
	if err != nil {
		var no refusal
		if errors.As(err, &no) {
			return r, refusal{fmt.Errorf("%s %w; import _ \"net/http/pprof\", or name their address with --pprof",
				p.base, no.error)}
		}
		return r, err
	}
	p.fill(&r, m, time.Now())
	n, err := p.goroutines(ctx)
	if err != nil {
		return r, fmt.Errorf("goroutines: %w", err)
	}
	r.Goroutines = vitals.Of(n)
	return r, nil
}

// fill makes values of the runtime's own account.
func (p *pages) fill(r *vitals.Reading, m *memStats, now time.Time) {
	r.HeapBytes, r.HeapGoalBytes = vitals.Of(float64(m.heapAlloc)), vitals.Of(float64(m.nextGC))
	r.GCCyclesPerSec = p.cycles.Rate(now, float64(m.numGC))
	r.AllocBytesPerSec = p.allocs.Rate(now, float64(m.totalAlloc))
	r.GCShareSinceStart = vitals.Of(m.gcFraction)
	if p.last != nil && m.numGC > p.last.numGC {
		for _, pause := range m.pausesSince(p.last.numGC) {
			p.pauses.Add(now, pause.Seconds(), 1)
		}
		p.collected(p.shareSince(m), now)
	}
	if p.last != nil && m.numGC < p.last.numGC { // another process
		p.lately = newLately()
	}
	p.last = m
	r.GCPauseP99Seconds = p.pauses.Quantile(now, 0.99)
	r.GCShareOfAvailable = p.shareNow(now)
}

// shareSince is the collector's share of the CPU time that was available between the last
// collections of two readings. MemStats tells that share since the start, f, at the end of
// each collection; with the program's age t then, it is (f2*t2 - f1*t1) / (t2 - t1).
func (p *pages) shareSince(m *memStats) vitals.Value {
	born, known := p.born()
	if !known || p.last.numGC == 0 {
		return vitals.Value{}
	}
	t1, t2 := p.last.lastGC.Sub(born).Seconds(), m.lastGC.Sub(born).Seconds()
	if t1 <= 0 || t2 <= t1 {
		return vitals.Value{}
	}
	return vitals.Of(max(0, (m.gcFraction*t2-p.last.gcFraction*t1)/(t2-t1)))
}

// indexRow is the row of the goroutines in the list of profiles. To write the list the
// program only counts; the page of the goroutines takes the stack of each.
var indexRow = regexp.MustCompile(`<td>(\d+)</td><td><a href='[^']*goroutine\?debug=1'>goroutine</a>`)

// goroutinesHead is the first line of the goroutines' own page.
var goroutinesHead = regexp.MustCompile(`^goroutine profile: total (\d+)`)

func (p *pages) goroutines(ctx context.Context) (n float64, err error) {
	count := func(page string, pattern *regexp.Regexp) error {
		return get(ctx, p.client, p.base+page, "", func(answer *http.Response) error {
			text, err := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
			if err != nil {
				return err
			}
			m := pattern.FindSubmatch(text)
			if m == nil {
				return refusal{errors.New("the page has no number of them")}
			}
			n, err = strconv.ParseFloat(string(m[1]), 64)
			return err
		})
	}
	if !p.noIndex {
		err = count("/", indexRow)
		var no refusal
		if !errors.As(err, &no) {
			return n, err
		}
		p.noIndex = true
	}
	err = count("/goroutine?debug=1", goroutinesHead)
	var no refusal
	if errors.As(err, &no) { // the heap is still available
		err = no.error
	}
	return n, err
}

// memStats is what is needed of runtime.MemStats, as the page of the heap writes it.
type memStats struct {
	heapAlloc, totalAlloc, nextGC uint64
	numGC                         uint64
	lastGC                        time.Time
	gcFraction                    float64
	pauses                        []time.Duration // circular: collection n is at (n+len-1)%len
}

// pausesSince are the pauses of the collections after number n, if they are still kept.
func (m *memStats) pausesSince(n uint64) []time.Duration {
	var all []time.Duration
	size := uint64(len(m.pauses))
	if size == 0 {
		return nil
	}
	for i := max(n, m.numGC-min(m.numGC, size)) + 1; i <= m.numGC; i++ {
		all = append(all, m.pauses[(i+size-1)%size])
	}
	return all
}

// maxPauses bounds the list of pauses: the runtime keeps 256.
const maxPauses = 4096

// parseMemStats reads heap?debug=1 to its end.
func parseMemStats(from io.Reader) (*memStats, error) {
	m := &memStats{}
	wanted := map[string]func(string) error{
		"HeapAlloc":     number(&m.heapAlloc),
		"TotalAlloc":    number(&m.totalAlloc),
		"NextGC":        number(&m.nextGC),
		"NumGC":         number(&m.numGC),
		"PauseNs":       m.readPauses,
		"GCCPUFraction": func(s string) (err error) { m.gcFraction, err = strconv.ParseFloat(s, 64); return err },
		"LastGC": func(s string) error {
			var ns uint64
			err := number(&ns)(s)
			m.lastGC = time.Unix(0, int64(ns))
			return err
		},
	}
	need := len(wanted)
	err := pprofhttp.ReadHeapPage(from, func(name, value string) error {
		read := wanted[name]
		if read == nil {
			return nil
		}
		delete(wanted, name)
		if err := read(value); err != nil {
			return fmt.Errorf("%s of runtime.MemStats: %w", name, err)
		}
		return nil
	}, nil)
	switch {
	case errors.Is(err, pprofhttp.ErrLongHeapPage):
		return nil, refusal{err}
	case err != nil:
		return nil, err
	case len(wanted) == need:
		return nil, refusal{errors.New("the heap's page has no runtime.MemStats: is it net/http/pprof?")}
	case len(wanted) > 0:
		return nil, errors.New("the heap's page breaks off")
	}
	return m, nil
}

func number(into *uint64) func(string) error {
	return func(s string) (err error) {
		*into, err = strconv.ParseUint(s, 10, 64)
		return err
	}
}

// readPauses reads [1 2 3].
func (m *memStats) readPauses(text string) error {
	fields := strings.Fields(strings.Trim(text, "[]"))
	if len(fields) > maxPauses {
		return fmt.Errorf("%d pauses, the runtime keeps 256", len(fields))
	}
	for _, f := range fields {
		ns, err := strconv.ParseUint(f, 10, 62)
		if err != nil {
			return err
		}
		m.pauses = append(m.pauses, time.Duration(ns))
	}
	return nil
}
