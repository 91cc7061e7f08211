package tail

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/tail/marks"
	"github.com/gohone/hone/bench/tail/serving"
)

// measure carries out the trials that the results lack. One that fails does not keep the others from being measured.
func (c config) measure(ctx context.Context) error {
	version, err := c.Hone.Version(ctx)
	if err != nil {
		return fmt.Errorf("ask hone for its version: %w", err)
	}
	head := func(at time.Time, s *bed.Session) record { return record{At: at, Session: s} }
	return bed.Measure(ctx, c.Bed, resultsSchema, head, func(j *bed.Journal[record]) error {
		return bed.Take(ctx, c.Bed, j, c.trials, (*trial).name, func(ctx context.Context, t *trial) ([]record, error) {
			var todo []pace
			for _, p := range paces {
				if c.again || !has(j.Records, t, p, version) {
					todo = append(todo, p)
				}
			}
			return c.trial(ctx, t, todo)
		})
	})
}

// trial measures a service at some rates.
func (c config) trial(ctx context.Context, t *trial, todo []pace) (records []record, err error) {
	if len(todo) == 0 {
		return nil, nil
	}
	planted, err := marks.Read(t.dir())
	if err != nil {
		return nil, err
	}
	capacity, closed, err := c.capacity(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("find out what it can do: %w", err)
	}
	for _, p := range todo {
		r := record{Trial: t.name(), Pace: p.Name, CapacityHz: capacity, RateHz: p.rate(capacity), ClosedCost: closed}
		closed = nil // once for both rates
		for r.Tries = 1; ; r.Tries++ {
			if err := c.take(ctx, t, planted, &r); err != nil {
				return records, fmt.Errorf("at the %s rate: %w", p.Name, err)
			}
			if r.Disturbed = t.disturbed(r.Digest, r.Truth); !r.Disturbed || r.Tries == mostTries {
				break
			}
			c.Progress("%s %s: disturbed, once more", t.name(), p.Name)
		}
		if c.print {
			printDigest(os.Stderr, r)
		}
		records = append(records, r)
	}
	return records, nil
}

// mostTries is how often a disturbed measurement is taken.
const mostTries = 3

// seenAtLeast is the part of what the client saw that the handler has to have seen.
const seenAtLeast = 0.75

// disturbed says that slow requests waited outside of the handler where the cause is inside: the machine
// or the generator stood still meanwhile. It does not depend on what hone says of causes.
func (t *trial) disturbed(d *digest, truth *serving.Truth) bool {
	if t.Shape != someSlow || t.Unstamped != "" {
		return false
	}
	client := d.cohort("slow").Latency - d.cohort("typical").Latency
	return truth.Slow.Handler-truth.Typical.Handler < seenAtLeast*client
}

// runDocument is what is read of hone run --json.
type runDocument struct {
	ID   string  `json:"id"`
	Rate float64 `json:"requests_per_second"`
	// Latency is that of the slices.
	Latency *percentiles `json:"latency"`
	Tracing *tracing     `json:"tracing"`
}

// capacity is what a closed loop of all connections reaches, in requests per second, and what its trace
// cost.
func (c config) capacity(ctx context.Context, t *trial) (float64, *cost, error) {
	var d runDocument
	args := t.run("", "-d", "1s", "--profile-time", profileTime)
	if _, err := c.Hone.Ask(ctx, &d, []int{honecli.Invalid}, "run --quiet", args...); err != nil {
		return 0, nil, err
	}
	if d.Rate <= 0 {
		return 0, nil, fmt.Errorf("run %s: no request was answered right", d.ID)
	}
	return d.Rate, costOf(d), nil
}

// profileTime keeps the CPU profile, which no judgement needs, from taking most of the time.
const profileTime = "500ms"

// take measures one trial at one rate, and judges what hone says of it.
func (c config) take(ctx context.Context, t *trial, planted []marks.Mark, r *record) error {
	stamps := filepath.Join(c.Dir, "stamps.json")
	if err := os.RemoveAll(stamps); err != nil {
		return err
	}
	var d runDocument
	rate := strconv.FormatFloat(r.RateHz, 'f', 0, 64)
	args := t.run(stamps, "-d", c.duration.String(), "--rate", rate, "--profile-time", profileTime)
	done, err := c.Hone.Ask(ctx, &d, []int{honecli.Invalid}, "run --quiet", args...)
	if err != nil {
		return err
	}
	r.Invalid, r.Cost = done.Code == honecli.Invalid, costOf(d)
	if r.Truth, err = readTruth(stamps); err != nil {
		return err
	}
	r.Digest = new(digest)
	if _, err := c.Hone.Ask(ctx, r.Digest, nil, "tail", d.ID); err != nil {
		return err
	}
	if err := r.Digest.check(); err != nil {
		return fmt.Errorf("read what hone tail %s prints: %w", d.ID, err)
	}
	j := t.judge(r.Digest, planted, *r.Truth)
	r.Judgement = &j
	r.At = bed.Now()
	r.Digest.short()
	return nil
}

// readTruth reads what the service stamped.
func readTruth(path string) (*serving.Truth, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the service's stamps: %w", err)
	}
	t := new(serving.Truth)
	if err := json.Unmarshal(text, t); err != nil {
		return nil, fmt.Errorf("read the service's stamps: %w in %.200q", err, text)
	}
	if t.Schema != serving.Schema || t.Slow.Requests == 0 || t.Typical.Requests == 0 {
		return nil, fmt.Errorf("read the service's stamps: schema %q, %d requests during the trace: want %s and 100 or more",
			t.Schema, t.Requests, serving.Schema)
	}
	return t, nil
}

// String is a record as progress shows it.
func (r record) String() string {
	j := r.Judgement
	if j == nil {
		return ""
	}
	text := fmt.Sprintf("%s %s, %.0f/s of %.0f: ", r.Trial, r.Pace, r.RateHz, r.CapacityHz)
	if j.Right {
		text += "right"
	} else {
		text += "WRONG (" + j.Why + ")"
	}
	for _, s := range j.Shares {
		text += fmt.Sprintf(", %.0f %% for %.0f %%", 100*s.Hone, 100*s.Truth)
	}
	return text + fmt.Sprintf(", %.0f %% not explained", 100*j.Unexplained)
}

// printDigest prints what hone said next to what was planted.
func printDigest(w io.Writer, r record) {
	typical, slow := r.Digest.cohort("typical"), r.Digest.cohort("slow")
	fmt.Fprintf(w, "  planted: %s\n", r.Judgement.Planted)
	fmt.Fprintf(w, "  hone: %d of %d requests joined", r.Digest.Joined, r.Digest.Requests)
	for _, c := range []*cohort{typical, slow} {
		fmt.Fprintf(w, "; %s %v (%d)", c.Name, duration(c.Latency), c.Requests)
	}
	fmt.Fprintf(w, "\n  stamps: typical %v of %v, slow %v of %v\n", durations(r.Truth.Typical),
		duration(r.Truth.Typical.Handler), durations(r.Truth.Slow), duration(r.Truth.Slow.Handler))
	for _, c := range r.Digest.Causes {
		fmt.Fprintf(w, "  %5.1f %% %8v  %v\n", 100*c.Share, duration(c.Nanos), c.place)
	}
	for _, c := range []*cohort{typical, slow} {
		for _, p := range c.Parts {
			fmt.Fprintf(w, "  %-7s %8v  %v\n", c.Name, duration(p.Nanos), p.place)
		}
	}
}

func durations(c serving.Cohort) []time.Duration {
	all := make([]time.Duration, len(c.Causes))
	for i, nanos := range c.Causes {
		all[i] = duration(nanos)
	}
	return all
}
