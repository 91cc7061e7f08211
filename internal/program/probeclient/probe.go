package probeclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// Probe is the client of the probe in a running subject (package probe). All errors
// are fail.Subject, or the context's. Its methods may be called at the same time.
type Probe struct {
	client *http.Client
}

// Limits of what a probe may answer, so that a subject that is broken cannot take
// hone's memory: a profile of a very large program has some MB.
const (
	maxPage    = 16 << 20
	maxProfile = 256 << 20
	maxFault   = 4 << 10 // of the text with an error
)

// probePatience is how long a page that asks for no duration may take. A collection of
// a heap of many GB takes seconds.
const probePatience = 10 * time.Second

// New returns a client that reaches the probe through dial. Each request opens a
// connection and closes it.
func New(dial func(ctx context.Context) (net.Conn, error)) *Probe {
	return &Probe{&http.Client{Transport: &http.Transport{
		DisableKeepAlives:  true,
		DisableCompression: true,
		DialContext:        func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) },
	}}}
}

// At returns a client for the probe that listens on the Unix socket at path.
func At(path string) *Probe {
	return New(func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	})
}

// PID is the process that has the probe.
func (p *Probe) PID(ctx context.Context) (int, error) {
	var answer struct{ PID int }
	err := p.json(ctx, "/buildinfo", &answer)
	return answer.PID, err
}

// SetRates sets the block profile rate (nanoseconds blocked per sample, 0 is off) and
// the mutex profile fraction (one of N events, 0 is off), and returns the fraction that
// held before. The runtime does not tell the earlier block rate.
func (p *Probe) SetRates(ctx context.Context, blockRate, mutexFraction int) (mutexBefore int, err error) {
	var answer struct {
		MutexBefore int `json:"mutex_before"`
	}
	err = p.json(ctx, fmt.Sprintf("/rates?block=%d&mutex=%d", blockRate, mutexFraction), &answer)
	return answer.MutexBefore, err
}

// SetProcs sets GOMAXPROCS, 0 for no change, and returns what held before: 0 from a probe of an earlier hone, which
// does not know it.
func (p *Probe) SetProcs(ctx context.Context, procs int) (before int, err error) {
	var answer struct {
		ProcsBefore int `json:"procs_before"`
	}
	err = p.json(ctx, fmt.Sprintf("/rates?procs=%d", procs), &answer)
	return answer.ProcsBefore, err
}

// SetHeapRate sets how many bytes there are to a sample of the heap profile, 1 for every
// allocation, -1 for no change, and returns what held before. Counts of a profile are scaled by the rate that
// holds when it is taken, so only what was allocated under one rate can be told.
func (p *Probe) SetHeapRate(ctx context.Context, rate int) (before int, err error) {
	var answer struct {
		HeapBefore int `json:"heap_before"`
	}
	err = p.json(ctx, fmt.Sprintf("/rates?heap=%d", rate), &answer)
	return answer.HeapBefore, err
}

// ProfileKind names a profile as runtime/pprof does.
type ProfileKind string

// The profiles of every Go program. Block and Mutex are empty until SetRates.
const (
	ProfileCPU          ProfileKind = "cpu"
	ProfileHeap         ProfileKind = "heap"
	ProfileAllocs       ProfileKind = "allocs"
	ProfileGoroutine    ProfileKind = "goroutine"
	ProfileMutex        ProfileKind = "mutex"
	ProfileBlock        ProfileKind = "block"
	ProfileThreadCreate ProfileKind = "threadcreate"
)

// ProfileGoroutineLeak has the goroutines that nothing can wake any more. Programs of
// toolchains before Go 1.27 seldom have it: see HasProfile.
const ProfileGoroutineLeak ProfileKind = "goroutineleak"

// HasProfile says whether the program has such a profile.
func (p *Probe) HasProfile(ctx context.Context, kind ProfileKind) (bool, error) {
	names, err := p.page(ctx, "/pprof/")
	return kind == ProfileCPU || slices.Contains(strings.Fields(string(names)), string(kind)), err
}

// Profile takes a profile and returns it in pprof's format, gzipped. A CPU profile
// takes d; the others are counts since the program started, and ignore it. A CPU
// profile ends when ctx does.
func (p *Probe) Profile(ctx context.Context, kind ProfileKind, d time.Duration) ([]byte, error) {
	if kind == ProfileCPU {
		return p.CPUProfile(ctx, d, 0)
	}
	return p.get(ctx, "/pprof/"+url.PathEscape(string(kind)), probePatience, maxProfile)
}

// LiveHeap takes a heap profile right after a collection, so that it has what lives now;
// without one it has what lived at the last collection, which may be long ago.
func (p *Probe) LiveHeap(ctx context.Context) ([]byte, error) {
	return p.get(ctx, "/pprof/heap?gc=1", probePatience, maxProfile)
}

// CollectedAllocs takes a profile of all allocations right after a collection, up to which
// it is complete; without one the latest may be missing.
func (p *Probe) CollectedAllocs(ctx context.Context) ([]byte, error) {
	return p.get(ctx, "/pprof/allocs?gc=1", probePatience, maxProfile)
}

// CPUProfile takes a CPU profile over d with so many ticks per second of CPU time, 0 for
// the usual 100. With another rate the runtime writes a warning to the subject's standard
// error, which means nothing.
func (p *Probe) CPUProfile(ctx context.Context, d time.Duration, hz int) ([]byte, error) {
	return p.over(ctx, "/pprof/cpu", d, "&hz="+strconv.Itoa(hz))
}

// Trace takes an execution trace over d, for go tool trace.
func (p *Probe) Trace(ctx context.Context, d time.Duration) ([]byte, error) {
	return p.over(ctx, "/trace", d, "")
}

// StreamTrace takes an execution trace over d and returns when it has been taken, with the trace still to be read: a
// busy program writes tens of MB per second. The program holds it in memory until then, and gives up on a reader that
// takes more than half a minute. The caller closes it. A trace of over 256 MB is cut off there.
func (p *Probe) StreamTrace(ctx context.Context, d time.Duration) (io.ReadCloser, error) {
	page, err := overTime("/trace", d, "")
	if err != nil {
		return nil, err
	}
	// What the probe allows for writing an answer comes on top.
	answer, err := p.open(ctx, page, 4*probePatience+d)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(answer.Body, maxProfile), answer}, nil
}

// StartFlight starts a recorder that keeps the last d of an execution trace in memory. It
// is an error before Go 1.25, and if one is running.
func (p *Probe) StartFlight(ctx context.Context, d time.Duration) error {
	_, err := p.over(ctx, "/flight/start", d, "")
	return err
}

// Flight returns what the recorder has, for go tool trace.
func (p *Probe) Flight(ctx context.Context) ([]byte, error) {
	return p.get(ctx, "/flight", probePatience, maxProfile)
}

// StopFlight ends the recorder.
func (p *Probe) StopFlight(ctx context.Context) error {
	_, err := p.page(ctx, "/flight/stop")
	return err
}

// over asks for a page that takes d.
func (p *Probe) over(ctx context.Context, page string, d time.Duration, more string) ([]byte, error) {
	page, err := overTime(page, d, more)
	if err != nil {
		return nil, err
	}
	return p.get(ctx, page, probePatience+d, maxProfile)
}

// overTime is the address of a page that takes d.
func overTime(page string, d time.Duration, more string) (string, error) {
	if d <= 0 {
		return "", fail.New(fail.BadInput, "ask probe for %s: duration is %v, want more than 0", page, d)
	}
	return page + "?seconds=" + strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + more, nil
}

func (p *Probe) page(ctx context.Context, page string) ([]byte, error) {
	return p.get(ctx, page, probePatience, maxPage)
}

func (p *Probe) json(ctx context.Context, page string, into any) error {
	body, err := p.page(ctx, page)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fail.New(fail.Subject, "read %s of the probe: %w", page, err)
	}
	return nil
}

// get fetches one page and gives up after patience.
func (p *Probe) get(ctx context.Context, page string, patience time.Duration, limit int64) ([]byte, error) {
	answer, err := p.open(ctx, page, patience)
	if err != nil {
		return nil, err
	}
	defer answer.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, limit+1))
	switch {
	case int64(len(body)) > limit:
		return nil, fail.New(fail.Subject, "ask probe for %s: the answer has over %d MB", page, limit>>20)
	case err != nil:
		return nil, silence(ctx, page, err)
	}
	return body, nil
}

// opened is an answer of status 200 whose body is to be read.
type opened struct {
	*http.Response
	cancel context.CancelFunc
}

// Close ends the request.
func (o *opened) Close() error {
	defer o.cancel()
	return o.Body.Close()
}

// open asks for one page, and refuses answers of another status than 200. The caller closes the answer; patience is
// for all of it.
func (p *Probe) open(ctx context.Context, page string, patience time.Duration) (*opened, error) {
	bounded, cancel := context.WithTimeout(ctx, patience)
	request, err := http.NewRequestWithContext(bounded, http.MethodGet, "http://probe"+page, nil)
	if err != nil {
		cancel()
		return nil, fail.New(fail.BadInput, "ask probe: %w", err)
	}
	answer, err := p.client.Do(request)
	if err != nil {
		cancel()
		return nil, silence(ctx, page, err)
	}
	o := &opened{answer, cancel}
	if answer.StatusCode == http.StatusOK {
		return o, nil
	}
	defer o.Close()
	said, err := io.ReadAll(io.LimitReader(answer.Body, maxFault))
	if err != nil {
		return nil, silence(ctx, page, err)
	}
	if answer.StatusCode == http.StatusConflict {
		return nil, fail.New(fail.Subject, "ask probe for %s: %w", page, &InUseError{string(said)}).
			WithHint("a program can take one CPU profile, one trace and one flight at a time: end the other one, or wait for it")
	}
	return nil, fail.New(fail.Subject, "ask probe for %s: %s: %.200s", page, answer.Status,
		strings.TrimSpace(string(said)))
}

// InUseError is the error of a profile or a trace of which a program can take one at a time, while another one is
// taken.
type InUseError struct{ said string }

func (e *InUseError) Error() string { return fmt.Sprintf("%.200s", strings.TrimSpace(e.said)) }

// silence is the error of a probe that could not be reached or went quiet.
func silence(ctx context.Context, page string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("ask probe for %s: %w", page, ctx.Err())
	}
	var outer *url.Error // it repeats the page and the method
	if errors.As(err, &outer) {
		err = outer.Err
	}
	name, _, _ := strings.Cut(page, "?") // what is asked of the page may be long
	return fail.New(fail.Subject, "the probe is not answering (%s): %w", name, err).
		WithHint("the program has ended or hangs, or was built without the probe (--set no-inject): see its output")
}
