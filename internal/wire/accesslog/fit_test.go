package accesslog_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire/accesslog"
)

// traffic is a load that a test knows: Poisson arrivals of rateHz for a time, which take so long on average, of clients
// and requests drawn by Zipf's law.
type traffic struct {
	rateHz  float64
	length  time.Duration
	mean    time.Duration
	clients int
	paths   int
	burst   int // requests that come together
}

// log writes the traffic as the line of nginx.
func (tr traffic) log(seed uint64) (text []byte, shares map[string]float64) {
	random := rand.New(rand.NewPCG(seed, 1))
	zipf := rand.NewZipf(random, 1.2, 1, uint64(tr.paths-1))
	start := time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)
	var b bytes.Buffer
	counts, n := map[string]float64{}, 0.0
	for at := 0.0; ; {
		if at += random.ExpFloat64() / tr.rateHz * float64(tr.burst); at > tr.length.Seconds() {
			break
		}
		for range tr.burst {
			path := fmt.Sprintf("/items?page=%d", zipf.Uint64())
			counts["GET "+path]++
			n++
			took := random.ExpFloat64() * tr.mean.Seconds()
			end := start.Add(time.Duration((at + took) * 1e9))
			fmt.Fprintf(&b, "10.0.%d.7 - - [%s] \"GET %s HTTP/1.1\" 200 %d \"-\" \"curl\" rt=%.3f\n",
				random.IntN(tr.clients), end.Format("02/Jan/2006:15:04:05 -0700"), path, 500+random.IntN(500), took)
		}
	}
	for path := range counts {
		counts[path] /= n
	}
	return b.Bytes(), counts
}

// A log of a known load gives its rate, concurrency, clients and mix back, within what sampling leaves.
func TestAKnownLoadIsFound(t *testing.T) {
	for seed := range uint64(20) {
		tr := traffic{rateHz: 40, length: 5 * time.Minute, mean: 150 * time.Millisecond, clients: 60, paths: 500,
			burst: 1}
		text, shares := tr.log(seed)
		l, fit, err := read(accesslog.Options{Mixed: true}, text)
		if err != nil {
			t.Fatal(err)
		}
		n := tr.rateHz * tr.length.Seconds()
		within(t, "mean rate", fit.MeanHz, tr.rateHz, 4/math.Sqrt(n)+1/tr.length.Seconds())
		within(t, "rate", fit.RateHz, tr.rateHz, 4/math.Sqrt(n)+1/tr.length.Seconds())
		within(t, "concurrency", fit.AtOnce, tr.rateHz*tr.mean.Seconds(), 4*math.Sqrt2/math.Sqrt(n)+0.01)
		within(t, "dispersion", fit.Dispersion, 1, 4*math.Sqrt(2/tr.length.Seconds()))
		within(t, "bytes of an answer", fit.AnswerBytes, 749.5, 4*0.2/math.Sqrt(n))
		if fit.Clients != tr.clients || fit.Active != tr.clients || fit.PerConnection != 0 {
			t.Errorf("%d clients, %d active, %v requests on a connection", fit.Clients, fit.Active, fit.PerConnection)
		}
		if got, _ := fit.Closed(); got != 6 {
			t.Errorf("%d connections, want 6", got)
		}
		// Any part of the mix has the proportions of the whole, and all of it has them exactly.
		for _, r := range l.Requests[:5] {
			within(t, r.Path, float64(r.Weight)/float64(len(l.Order)), shares["GET "+r.Path], 1e-9)
			in := 0
			for _, turn := range l.Order[:2000] {
				if l.Requests[turn].Path == r.Path {
					in++
				}
			}
			share := shares["GET "+r.Path]
			within(t, "a part of "+r.Path, float64(in)/2000, share, 4.5*math.Sqrt((1-share)/(2000*share)))
		}
	}
}

// within fails if a value is further from what it should be than a fraction of that.
func within(t *testing.T, what string, got, want, fraction float64) {
	t.Helper()
	if math.Abs(got-want) > fraction*want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// Bursts are told apart from arrivals by chance, and both from even ones.
func TestBurstsAreSeen(t *testing.T) {
	text, _ := traffic{rateHz: 40, length: 5 * time.Minute, mean: time.Millisecond, clients: 1, paths: 10,
		burst: 20}.log(1)
	_, fit, err := read(accesslog.Options{}, text)
	if err != nil || fit.Dispersion < 15 || fit.Dispersion > 25 || !fit.Scattered() {
		t.Fatalf("%v, dispersion is %v, want 20", err, fit.Dispersion)
	}
	if words := strings.Join(fit.Words(), "\n"); !strings.Contains(words, "requests come in bursts") {
		t.Errorf("words are\n%s", words)
	}
	var b bytes.Buffer
	for i := range 6000 {
		at := time.Date(2026, 3, 2, 6, 0, i/20, 0, time.UTC)
		fmt.Fprintf(&b, "10.0.0.7 - - [%s] \"GET / HTTP/1.1\" 200 1\n", at.Format("02/Jan/2006:15:04:05 -0700"))
	}
	if _, fit, err = read(accesslog.Options{}, b.Bytes()); err != nil || fit.Scattered() || fit.AtOnce >= 0 ||
		fit.Busiest != 20 {
		t.Errorf("%v, %+v", err, fit)
	}
	if n, words := fit.Closed(); n != 1 || !strings.Contains(words, "the log has no durations") {
		t.Errorf("%d connections: %s", n, words)
	}
}

// A pause halves the mean, and not the rate that the program works under.
func TestPausesDoNotLowerTheRate(t *testing.T) {
	var b bytes.Buffer
	for i := range 6000 {
		at := time.Date(2026, 3, 2, 6, 0, i/20+i/3000*150, 0, time.UTC)
		fmt.Fprintf(&b, "10.0.0.7 - - [%s] \"GET / HTTP/1.1\" 200 1 \"-\" \"-\" rt=0.100\n",
			at.Format("02/Jan/2006:15:04:05 -0700"))
	}
	_, fit, err := read(accesslog.Options{}, b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	within(t, "mean rate", fit.MeanHz, 6000.0/450, 0.01)
	within(t, "rate", fit.RateHz, 20, 0.06) // even arrivals see 19 others
	within(t, "concurrency", fit.AtOnce, 2, 0.06)
}

// A short measurement gets more requests than the log had in that time, as long as the program stays as idle.
func TestShortMeasurements(t *testing.T) {
	for _, tc := range []struct {
		rateHz, atOnce, seconds, want float64
		ok                            bool
	}{
		{100, 3, 10, 100, true},
		{5, 0.005, 10, 50, true}, // 1 ms each
		{5, 0.5, 10, 50, false},  // 100 ms each: five at a time
		{20, 5, 10, 50, false},
		{5, -1, 10, 50, true}, // taken to be 10 ms each
		{5, -1, 1, 500, false},
	} {
		f := &accesslog.Fit{RateHz: tc.rateHz, AtOnce: tc.atOnce}
		if got, ok := f.OpenFor(tc.seconds); got != tc.want || ok != tc.ok {
			t.Errorf("%+v: %v, %v", tc, got, ok)
		}
	}
}

// What a load sent is compared with the log.
func TestAfterALoad(t *testing.T) {
	f := &accesslog.Fit{Kept: 100, AnswerBytes: 1000}
	for _, tc := range []struct {
		answered, received uint64
		want               string
	}{
		{0, 0, ""},
		{100, 110_000, "answers have 1.00 kB on average in the log, and 1.10 kB in the load, headers included"},
		{100, 900_000,
			"answers have 1.00 kB on average in the log, and 9.00 kB in the load, headers included; if production packs them, ask for it: -H 'Accept-Encoding: gzip'"},
	} {
		if got := strings.Join(f.After(tc.answered, tc.received), "\n"); got != tc.want {
			t.Errorf("%d: %s", tc.answered, got)
		}
	}
	if got := f.After(870, 870_000); len(got) != 2 ||
		!strings.HasPrefix(got[1], "the load went through the log 8 times: ") {
		t.Errorf("%q", got)
	}
}

// A port of the client's names its connection.
func TestRequestsOfAConnection(t *testing.T) {
	var b bytes.Buffer
	for i := range 300 {
		fmt.Fprintf(&b,
			`{"time":"2026-03-02T06:00:%02d.5Z","method":"GET","path":"/","remote_addr":"10.0.0.7:%d","latency_ms":2}`+
				"\n", i%60, 40000+i/10)
	}
	_, fit, err := read(accesslog.Options{}, b.Bytes())
	if err != nil || fit.PerConnection != 10 || fit.Clients != 30 {
		t.Errorf("%v, %v requests on each of %d connections", err, fit.PerConnection, fit.Clients)
	}
}
