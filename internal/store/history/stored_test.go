package history

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
)

// service is what a stored run was of: its cost, how much of it is the luck of a start,
// and how much slices scatter around that.
type service struct {
	cpu, start, scatter float64
	starts, slices      int // slices of each start
	doc                 string
}

// measure stores a run of the service.
func (b *book) measure(s service, rng *rand.Rand) string {
	b.Helper()
	b.at = b.at.Add(time.Hour)
	d, err := b.BeginRun(ledger.Run{Started: b.at, Package: "example.com/shop", Label: "."})
	if err != nil {
		b.Fatal(err)
	}
	var all []packed.Slice
	for block := range s.starts {
		luck := math.Exp(s.start * rng.NormFloat64())
		for range s.slices {
			cpu := s.cpu * luck * math.Exp(s.scatter*rng.NormFloat64())
			all = append(all, slice100(b.T, len(all), block, cpu, rng))
		}
	}
	if err := d.AddSlices(all); err != nil {
		b.Fatal(err)
	}
	if err := d.Finish(ledger.Complete, "", json.RawMessage(s.doc)); err != nil {
		b.Fatal(err)
	}
	return d.ID()
}

// slice100 is a slice of 100 ms of a service whose latency is ten times its CPU time, and
// whose rate is its inverse.
func slice100(t *testing.T, index, block int, cpu float64, rng *rand.Rand) packed.Slice {
	t.Helper()
	h := hdrhistogram.New(1, int64(time.Minute), 3)
	for range 100 {
		if err := h.RecordValue(int64(10 * cpu * (1 + rng.ExpFloat64()))); err != nil {
			t.Fatal(err)
		}
	}
	latency, err := packed.Pack(h)
	if err != nil {
		t.Fatal(err)
	}
	answered := uint64(1e8 / cpu)
	return packed.Slice{
		Slice: load.Slice{Duration: 100 * time.Millisecond, Counts: load.Counts{Answered: answered, Sent: answered}},
		Place: packed.Place{Index: index, Block: block},
		Used:  packed.Used{CPU: time.Duration(cpu * float64(answered))}, Latencies: packed.Latencies{Service: latency}}
}

func verdictOn(t *testing.T, c *Stored, key string) judge.Verdict {
	t.Helper()
	i := slices.IndexFunc(c.Verdicts, func(v judge.Verdict) bool { return v.Measure.Key == key })
	if i < 0 {
		t.Fatalf("no verdict on %s in %+v", key, c.Verdicts)
	}
	return c.Verdicts[i]
}

// Two runs of six starts each, one of which costs 10 % more: the start is the unit, and
// every measure shows the difference with the right sign.
func TestStoredRunsThatDiffer(t *testing.T) {
	b, rng := newBook(t), rand.New(rand.NewPCG(3, 4))
	s := service{cpu: 20_000, start: 0.005, scatter: 0.02, starts: 6, slices: 5}
	one := b.measure(s, rng)
	s.cpu *= 1.1
	two := b.measure(s, rng)
	if _, err := b.SetBaseline("", one, ""); err != nil {
		t.Fatal(err)
	}
	c, err := Compare(b.Ledger, "baseline", two[:6], judge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Unit != PerStart || c.A.ID != one || c.B.ID != two || len(c.Differs) != 0 {
		t.Errorf("%+v", c)
	}
	for key, ratio := range map[string]float64{"cpu": 1.1, "rate": 1 / 1.1, "p50": 1.1, "p90": 1.1, "p99": 1.1} {
		v := verdictOn(t, c, key)
		if v.Word != judge.Slower || !v.Indicative || v.Starts != 6 || v.Pairs != 6 || v.P > 0.05 ||
			v.Low > ratio || v.High < ratio || v.High-v.Low > 0.4 || !strings.Contains(v.Reason, "not taken together") {
			t.Errorf("%s: %+v, want a ratio of %v", key, v, ratio)
		}
	}
	// The other way round it is the inverse.
	back, err := Compare(b.Ledger, two, one, judge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, w := verdictOn(t, c, "cpu"), verdictOn(t, back, "cpu")
	if w.Word != judge.Faster || math.Abs(w.Ratio*v.Ratio-1) > 1e-9 || math.Abs(w.Low*v.High-1) > 1e-9 {
		t.Errorf("%+v and back %+v", v, w)
	}
}

// Runs of one start each have slices only. Two runs of one service whose two starts
// differ by less than starts are known to do are not called different, however many
// slices there are; of 10 % they are.
func TestStoredRunsOfOneStart(t *testing.T) {
	b, rng := newBook(t), rand.New(rand.NewPCG(5, 6))
	s := service{cpu: 20_000, scatter: 0.002, starts: 1, slices: 60}
	one := b.measure(s, rng)
	s.cpu *= 1.004
	lucky := b.measure(s, rng)
	s.cpu *= 1.1
	slower := b.measure(s, rng)

	c, err := Compare(b.Ledger, one, lucky, judge.Options{Delta: 0.001})
	if err != nil {
		t.Fatal(err)
	}
	if v := verdictOn(t, c, "cpu"); c.Unit != PerSlice || v.P > 0.001 || v.Word != judge.Undecided || v.Low > 1 ||
		v.High < 1 ||
		!strings.Contains(v.Reason, "one start") {
		t.Errorf("%s: %+v", c.Unit, v)
	}
	if c, err = Compare(b.Ledger, one, lucky, judge.Options{Delta: 0.02}); err != nil {
		t.Fatal(err)
	}
	if v := verdictOn(t, c, "cpu"); v.Word != judge.Same {
		t.Errorf("%+v", v)
	}
	if c, err = Compare(b.Ledger, one, slower, judge.Options{}); err != nil {
		t.Fatal(err)
	}
	if v := verdictOn(t, c, "cpu"); v.Word != judge.Slower {
		t.Errorf("%+v", v)
	}
	// Two slices of each prove nothing, and say so.
	s.slices = 2
	c, err = Compare(b.Ledger, b.measure(s, rng), b.measure(s, rng), judge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v := verdictOn(t, c, "cpu"); v.Word != judge.Undecided || !math.IsInf(v.High, 1) {
		t.Errorf("%+v", v)
	}
	if _, err := json.Marshal(c); err != nil {
		t.Error(err)
	}
}

// Of 200 comparisons of runs of the same service, starts and all, those called different
// are about as many as the level allows. (Binomial: over 20 of 200 at 5 % has p = 0.001.)
func TestStoredRunsOfOneServiceAreRarelyDifferent(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	different := 0
	for range 200 {
		var sides [2]side
		for k := range sides {
			for block := range 5 {
				luck := math.Exp(0.006 * rng.NormFloat64())
				var all []slice
				for range 8 {
					cpu := 20_000 * luck * math.Exp(0.02*rng.NormFloat64())
					all = append(all, slice{Slice: packed.Slice{
						Slice: load.Slice{Counts: load.Counts{Answered: 5000}}, Place: packed.Place{Block: block},
						Used: packed.Used{CPU: time.Duration(5000 * cpu)}}})
				}
				sides[k].slices = append(sides[k].slices, all...)
				sides[k].blocks = append(sides[k].blocks, all)
			}
		}
		v, err := (&Stored{Unit: PerStart}).decide(storedMeasures[0], sides[0], sides[1],
			judge.Options{}.WithDefaults())
		if err != nil {
			t.Fatal(err)
		}
		if v.Word == judge.Faster || v.Word == judge.Slower {
			different++
		}
	}
	t.Logf("%d of 200 called different", different)
	if different > 20 {
		t.Errorf("%d of 200 called different, level 5 %%", different)
	}
}

// Whatever else differs is named, with both values.
func TestStoredRunsName(t *testing.T) {
	b, rng := newBook(t), rand.New(rand.NewPCG(9, 9))
	doc := `{"schema":"hone.run/1","target":"http://127.0.0.1:%d/items","args":["-x"],"plan":{"connections":%d,"depth":1},
		"rate_hz":%d,"binary":{"go_version":"go1.%d.0","variant":{"args":["-stage","%s"]}},
		"environment":{"hone":"v%d","os":"linux","arch":"amd64","cpu_model":"Xeon","cpus":2}}`
	s := service{cpu: 1000, starts: 1, slices: 6, doc: fmt.Sprintf(doc, 1, 100, 0, 25, "raw", 1)}
	one := b.measure(s, rng)
	s.doc = fmt.Sprintf(doc, 2, 10, 500, 26, "raw", 2)
	two := b.measure(s, rng)
	c, err := Compare(b.Ledger, one, two, judge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"connections 100 / 10", "rate none / 500/s", "toolchain go1.25.0 / go1.26.0", "hone v1 / v2"}
	if !slices.Equal(c.Differs, want) {
		t.Errorf("differs %q, want %q", c.Differs, want)
	}
}

// What cannot be compared is refused with its reason.
func TestStoredRunsRefused(t *testing.T) {
	b, rng := newBook(t), rand.New(rand.NewPCG(1, 1))
	good := b.measure(service{cpu: 1000, starts: 1, slices: 6}, rng)
	invalid := b.run("a", ledger.Invalid, 5, nil)
	empty := b.run("a", ledger.Complete, 5, nil)
	d, err := b.BeginRun(ledger.Run{})
	if err != nil {
		t.Fatal(err)
	}
	damaged := slice100(t, 0, 0, 1000, rng)
	damaged.Service = "garbage"
	if err := d.AddSlices([]packed.Slice{damaged}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		other string
		kind  fail.Kind
		words string
	}{
		{invalid, fail.Invalid, "nothing may be concluded"}, {empty, fail.BadInput, "no slices"},
		{d.ID(), fail.BadInput, "still running"}, {"ffff0000", fail.BadInput, "no run"},
		{good, fail.BadInput, "both run"},
	} {
		for _, pair := range [][2]string{{good, c.other}, {c.other, good}} {
			_, err := Compare(b.Ledger, pair[0], pair[1], judge.Options{})
			if fail.ExitCode(err) != int(c.kind) || !strings.Contains(err.Error(), c.words) || fail.HintOf(err) == "" {
				t.Errorf("%s: %v, want %q", c.other, err, c.words)
			}
		}
	}
	if err := d.Finish(ledger.Partial, "", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Compare(b.Ledger, good, d.ID(), judge.Options{}); fail.ExitCode(err) != int(fail.Storage) {
		t.Errorf("damaged histogram: %v", err)
	}
	if _, err := Compare(b.Ledger, good, good, judge.Options{Alpha: 7}); fail.ExitCode(err) != int(fail.BadInput) {
		t.Errorf("alpha 7: %v", err)
	}
}
