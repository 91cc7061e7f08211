package walltime_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/walltime"
)

// recordedModule is the name that the module of the services had when the traces in testdata were taken.
const recordedModule = "github.com/gohone/hone/internal/walltime_test"

// recording is what belongs to a trace in testdata: the requests of its load, and the lines of the
// service's source then.
type recording struct {
	Requests    []walltime.Request
	Cause, Held int
}

func (r recording) write(t *testing.T, name string, raw []byte) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(raw)
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		err = os.WriteFile("testdata/"+name+".trace.gz", packed.Bytes(), 0o644)
	}
	text, err2 := json.Marshal(r)
	if err2 == nil {
		err2 = os.WriteFile("testdata/"+name+".json", text, 0o644)
	}
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
}

// recorded reads a trace of testdata.
func recorded(t testing.TB, name string) ([]byte, recording) {
	t.Helper()
	var r recording
	text, err := os.ReadFile("testdata/" + name + ".json")
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open("testdata/" + name + ".trace.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return raw, r
}

// The traces are of services_test.go.
func TestCauses(t *testing.T) {
	for _, c := range []struct {
		name   string
		state  walltime.State
		atHeld bool // the cause is where the resource is held, by the slow requests themselves
		behind walltime.State
		caller string
	}{
		{name: "sleep", state: walltime.Sleep},
		{name: "timer", state: walltime.Sleep},
		{name: "mutex", state: walltime.Lock, behind: walltime.Sleep},
		{name: "tokens", state: walltime.Sleep, atHeld: true},
		{name: "workers", state: walltime.Channel, behind: walltime.Sleep},
		{name: "fanout", state: walltime.Channel, behind: walltime.Sleep},
		{name: "backend", state: walltime.Network},
		{name: "burner", state: walltime.Runnable, behind: walltime.Running, caller: ".burn"},
	} {
		t.Run(c.name, func(t *testing.T) {
			raw, about := recorded(t, c.name)
			d, err := walltime.Read(bytes.NewReader(raw),
				walltime.Options{Requests: about.Requests, Module: recordedModule, Slowest: 2, From: 97})
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Causes) == 0 {
				t.Fatal("no causes")
			}
			top, want := d.Causes[0], about.Cause
			if c.atHeld {
				want = about.Held
			}
			if top.State != c.state || top.Line != want || top.Share < 0.5 {
				t.Errorf("%.0f %% %s in line %d, want half or more %s in line %d", 100*top.Share, top.State, top.Line,
					c.state, want)
			}
			switch {
			case c.behind == "":
			case top.Behind == nil || top.Behind.State != c.behind:
				t.Errorf("behind %+v, want %s", top.Behind, c.behind)
			case about.Held != 0 && top.Behind.Line != about.Held:
				t.Errorf("behind line %d, want %d", top.Behind.Line, about.Held)
			case !strings.HasSuffix(top.Behind.Function, c.caller):
				t.Errorf("behind function %s, want %s", top.Behind.Function, c.caller)
			}
			checkSums(t, d, walltime.Connections, 500, 0.97)
			checkProfile(t, d)
			if t.Failed() {
				text, _ := json.MarshalIndent(d, "", " ")
				t.Logf("%s", text)
			}
		})
	}
}

// A service without a cause has none: no line of its own is slow.
func TestControl(t *testing.T) {
	raw, about := recorded(t, "control")
	d, err := walltime.Read(bytes.NewReader(raw), walltime.Options{Requests: about.Requests, Module: recordedModule})
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, d, walltime.Connections, 500, 0.97)
	for _, c := range d.Causes {
		if c.Function != "" && c.Share > 0.1 {
			t.Errorf("a service without a cause has %+v: %.2f", c.Label, c.Share)
		}
	}
}

// checkSums says whether the parts of each cohort add up to its latency, and whether there are so many requests, with
// a window for such a share of them.
func checkSums(t *testing.T, d *walltime.Digest, by walltime.Method, least int, share float64) {
	t.Helper()
	if d.Method != by || d.Requests < least || float64(d.Joined) < share*float64(d.Requests) {
		t.Errorf("%d of %d requests were found by %q", d.Joined, d.Requests, d.Method)
	}
	for _, c := range d.Cohorts {
		sum := 0.0
		for _, p := range c.Parts {
			sum += p.Nanos
		}
		if sum < 0.999*c.LatencyNanos || sum > 1.001*c.LatencyNanos {
			t.Errorf("the parts of %s add up to %.0f ns of %.0f", c.Name, sum, c.LatencyNanos)
		}
	}
	for _, one := range d.Slowest {
		at := one.Steps[0].At
		for _, s := range one.Steps {
			if s.At != at {
				t.Errorf("a step begins at %d ns, want %d", s.At, at)
			}
			at += s.Nanos
		}
		if at != one.LatencyNanos {
			t.Errorf("the steps of a request of %d ns end at %d", one.LatencyNanos, at)
		}
	}
}

// checkProfile says whether the profile is valid and has the time of the cohorts.
func checkProfile(t *testing.T, d *walltime.Digest) {
	t.Helper()
	p := d.Profile()
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{walltime.TypicalName, walltime.SlowName} {
		c := d.Cohort(name)
		sum := int64(0)
		for _, s := range p.Sample {
			if s.Label["cohort"][0] == c.Name {
				sum += s.Value[0]
			}
		}
		if off := math.Abs(float64(sum) - c.LatencyNanos); off > 0.01*c.LatencyNanos {
			t.Errorf("the profile has %d ns of %s, want %.0f", sum, c.Name, c.LatencyNanos)
		}
	}
}

// TestCut cuts and damages a trace: what can be read is read, and a note says what is missing.
func TestCut(t *testing.T) {
	raw, about := recorded(t, "control")
	o := walltime.Options{Requests: about.Requests, Module: recordedModule}
	if _, err := walltime.Read(bytes.NewReader(nil), o); err == nil ||
		!strings.Contains(err.Error(), "execution trace") {
		t.Errorf("an empty trace: %v", err)
	}
	if _, err := walltime.Read(strings.NewReader("hello, this is not a trace at all"), o); err == nil {
		t.Error("a text is read as a trace")
	}
	damaged := bytes.Clone(raw)
	for i := len(damaged) / 2; i < len(damaged); i += 97 {
		damaged[i] ^= 0x55
	}
	for name, some := range map[string][]byte{"cut": raw[:len(raw)/2], "damaged": damaged} {
		if d, err := walltime.Read(bytes.NewReader(some), o); err == nil && d.Note == "" {
			t.Errorf("a %s trace is read without a word: %d requests", name, d.Requests)
		}
	}
}

func FuzzRead(f *testing.F) {
	raw, _ := recorded(f, "mutex")
	f.Add(raw)
	f.Add(raw[:len(raw)/3])
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := walltime.Read(bytes.NewReader(raw), walltime.Options{Slowest: 1})
		if err != nil {
			return
		}
		for _, c := range d.Cohorts {
			if c.LatencyNanos < 0 || math.IsNaN(c.LatencyNanos) {
				t.Errorf("a latency of %v", c.LatencyNanos)
			}
		}
		if err := d.Profile().CheckValid(); err != nil {
			t.Error(err)
		}
	})
}

// What cannot be joined is counted as such: requests that the trace does not hold as a whole, and those whose work is
// not in it.
func TestDigestCountsWhatItCannotJoin(t *testing.T) {
	raw, r := recorded(t, "mutex")
	plain, err := walltime.Read(bytes.NewReader(raw), walltime.Options{Requests: r.Requests, Module: "main"})
	if err != nil {
		t.Fatal(err)
	}
	first, last := r.Requests[0].Sent, r.Requests[0].Answered
	for _, one := range r.Requests {
		first, last = min(first, one.Sent), max(last, one.Answered)
	}
	const long = int64(1e12)
	added := append([]walltime.Request{
		{Conn: 1000, Sent: first - long, Answered: (first + last) / 2}, // began before the trace
		{Conn: 1001, Sent: first - long, Answered: first - long + 1},   // was over before it
		{Conn: 1002, Sent: (first + last) / 2, Answered: last + long},  // ended after it
	}, r.Requests...)
	middle := (first + last) / 2
	for i := range plain.Requests / 50 { // slow, and nothing in the trace is theirs alone
		added = append(added, walltime.Request{Conn: int32(2000 + i), Sent: middle - (middle-first)/2,
			Answered: middle + (last-middle)/2})
	}
	d, err := walltime.Read(bytes.NewReader(raw), walltime.Options{Requests: added, Module: "main"})
	if err != nil {
		t.Fatal(err)
	}
	if d.Cut != plain.Cut+2 || d.CutSlow < 2 {
		t.Errorf("%d cut off, %d of them slow; want two more than %d", d.Cut, d.CutSlow, plain.Cut)
	}
	slow, was := d.Cohort(walltime.SlowName), plain.Cohort(walltime.SlowName)
	if slow.Unjoined != slow.Requests || slow.UnjoinedNanos <= 0 || slow.UnjoinedNanos > slow.Unexplained ||
		was.Unjoined >= was.Requests {
		t.Errorf("slow requests %+v, without those that nothing shows %+v", slow, was)
	}
	if b := d.Brief(); b.Cut != d.Cut || b.CutSlow != d.CutSlow ||
		b.Cohort(walltime.SlowName).Unjoined != slow.Unjoined {
		t.Errorf("in the document %+v", b)
	}
}
