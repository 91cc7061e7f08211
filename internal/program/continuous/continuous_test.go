package continuous

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/testkit/profstore"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// cpuProfile is a real one.
func cpuProfile(t testing.TB) *profile.Profile {
	t.Helper()
	f, err := os.Open("../../../prof/testdata/raw.cpu.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := prof.Parse(f, prof.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		s.Close()
	})
	return s.URL
}

// stores are both servers with the same profiles.
func stores(t *testing.T, o Options) map[string]Store {
	t.Helper()
	all := profstore.Shop(cpuProfile(t))
	a, err := NewPyroscope(serve(t, profstore.Pyroscope(all)), o)
	b, err2 := NewParca(serve(t, profstore.Parca(all)), o)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	return map[string]Store{"Pyroscope": a, "Parca": b}
}

var lastHour = Query{Selector: `{service_name="shop"}`, From: time.Unix(1795881600, 0), To: time.Unix(1795885200, 0)}

// shares are the functions' of a CPU profile, by its samples.
func shares(t *testing.T, p *profile.Profile) map[string]float64 {
	t.Helper()
	of, total := map[string]float64{}, 0.0
	for _, s := range p.Sample {
		v := float64(s.Value[len(s.Value)-1])
		of[s.Location[0].Line[0].Function.Name] += v
		total += v
	}
	for name := range of {
		of[name] /= total
	}
	return of
}

// What is pulled has all kinds and all sample types, the shares of what was stored, and its labels, by which it can be
// divided.
func TestPull(t *testing.T) {
	want := cpuProfile(t)
	for name, s := range stores(t, Options{}) {
		p, err := Pull(t.Context(), s, lastHour)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var kinds []string
		for _, c := range p.Captures {
			kinds = append(kinds, c.Kind)
			if c.Duration != time.Hour {
				t.Errorf("%s: %s covers %v", name, c.Kind, c.Duration)
			}
		}
		if !slices.Equal(kinds, []string{"cpu", "allocs", "heap"}) || len(p.Notes) != 1 ||
			!strings.Contains(p.Notes[0], "wall wall/nanoseconds") {
			t.Errorf("%s: kinds %v, notes %q", name, kinds, p.Notes)
		}
		cpu := p.Captures[0].Profile
		for function, share := range shares(t, want) {
			if got := shares(t, cpu)[function]; math.Abs(got-share) > 1e-9 {
				t.Errorf("%s: %s has %v of the CPU time, want %v", name, function, got, share)
			}
		}
		samples := map[string]int64{}
		for _, s := range cpu.Sample {
			samples[s.Label["region"][0]] += s.Value[0]
			if s.Value[1] != s.Value[0]*want.Period {
				t.Fatalf("%s: %v, with a period of %d", name, s.Value, want.Period)
			}
		}
		if samples["eu"] != 2*samples["us"] || samples["us"] == 0 {
			t.Errorf("%s: samples by region %v", name, samples)
		}
	}
}

func TestPullOneKindAndLabels(t *testing.T) {
	for name, s := range stores(t, Options{}) {
		q := lastHour
		q.Kind, q.Labels = "heap", []string{"service_name"}
		p, err := Pull(t.Context(), s, q)
		if err != nil || len(p.Captures) != 1 || p.Captures[0].Kind != "heap" {
			t.Fatalf("%s: %+v, %v", name, p, err)
		}
		if labels := fmt.Sprint(p.Captures[0].Profile.Sample[0].Label); labels != "map[service_name:[shop]]" {
			t.Errorf("%s: labels %s", name, labels)
		}
		q.Kind, q.Selector = "", `memory:alloc_space:bytes:space:bytes{service_name="shop"}`
		if p, err := Pull(t.Context(), s, q); err != nil || len(p.Captures) != 1 || p.Captures[0].Kind != "allocs" {
			t.Errorf("%s: of one type %+v, %v", name, p, err)
		}
		q.Kind, q.Selector = "mutex", `{service_name="shop"}`
		if _, err := Pull(t.Context(), s, q); err == nil ||
			!strings.Contains(err.Error(), "no profile of the kind mutex") ||
			!strings.Contains(fail.HintOf(err), "it has ") {
			t.Errorf("%s: a kind that is not there: %v", name, err)
		}
		q = lastHour
		q.Selector = `{service_name="none"}`
		if _, err := Pull(t.Context(), s, q); err == nil || fail.KindOf(err) != fail.BadInput {
			t.Errorf("%s: nothing matches: %v", name, err)
		}
		q.Selector = "shop"
		if _, err := Pull(t.Context(), s, q); err == nil || !strings.Contains(err.Error(), "want labels in braces") {
			t.Errorf("%s: no braces: %v", name, err)
		}
	}
}

// Many label sets are one group, and the note says how to keep a label.
func TestGroupsAreBounded(t *testing.T) {
	var series []labels
	for i := range 100 {
		series = append(series, labels{{typeLabel, "t"}, {"pod", fmt.Sprint(i)}, {"region", fmt.Sprint(i % 2)},
			{"service_name", "shop"}, {"__name__", "x"}})
	}
	groups, note := groupSeries(series, nil)
	if len(groups) != 1 || fmt.Sprint(groups[0].labels) != "map[service_name:shop]" ||
		!strings.Contains(note, "(pod, region): they make more than 20 groups") {
		t.Errorf("%d groups, %v, %q", len(groups), groups[0].labels, note)
	}
	groups, note = groupSeries(series, []string{"region"})
	if len(groups) != 2 || note != "" || groups[0].matchers(`a="b"`) != `{a="b",region="0"}` ||
		groups[1].matchers("") != `{region="1"}` {
		t.Errorf("by region: %d groups, %q, %s", len(groups), note, groups[0].matchers(`a="b"`))
	}
}

// Each fault of a server has a kind, says what the server said, and what to do next. No secret is in it.
func TestFaults(t *testing.T) {
	const secret = "s3cret-t0ken"
	page := func(status int, text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer "+secret || r.Header.Get("X-Scope-OrgID") != "acme" {
				status, text = http.StatusTeapot, "no credentials: "+r.Header.Get("Authorization")
			}
			w.WriteHeader(status)
			_, _ = w.Write([]byte(text))
		})
	}
	for _, c := range []struct {
		name       string
		handler    http.Handler
		kind       fail.Kind
		want, hint string
	}{
		{"401", page(http.StatusUnauthorized, "no: "+secret), fail.BadInput, "401 Unauthorized: no: ",
			"HONE_PULL_TOKEN"},
		{"unknown query", page(http.StatusBadRequest,
			`{"code":"invalid_argument","message":"parse error: unexpected \"=\""}`), fail.BadInput,
			`parse error: unexpected "="`, "--query"},
		{"unknown query to Pyroscope 1", page(http.StatusInternalServerError,
			`{"code":"internal","message":"rpc error: code = InvalidArgument desc = failed to parse label selector: 1:15"}`),
			fail.BadInput, "parse label selector", "--query"},
		{"another server", page(http.StatusNotFound, "<html>404</html>"), fail.BadInput, "404", "is it the address of"},
		{"broken", page(http.StatusInternalServerError, `{"code":"internal","message":"boom"}`), fail.Environment,
			"boom", "later"},
		{"redirect", http.RedirectHandler("/elsewhere", http.StatusFound), fail.BadInput, "302",
			"is it the address of"},
		{"a page", page(http.StatusOK, "<html>a dashboard</html>"), fail.Subject, "invalid character", "another API"},
		{"cut off", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte("{"))
		}), fail.Environment, "unexpected EOF", "is it up"},
		{"too large", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(make([]byte, 2000))
		}), fail.BadInput, "more than 1,000 bytes", "--from"},
	} {
		for _, connect := range []func(string, Options) (Store, error){NewPyroscope, NewParca} {
			s, err := connect(serve(t, c.handler),
				Options{Token: secret, Headers: map[string]string{"X-Scope-OrgID": "acme"}})
			if err != nil {
				t.Fatal(err)
			}
			if c.name == "too large" {
				clientOf(s).budget.Bytes.Most = 1000
			}
			_, err = Pull(t.Context(), s, lastHour)
			if err == nil || fail.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.want) ||
				!strings.Contains(fail.HintOf(err), c.hint) || strings.Contains(err.Error(), secret) {
				t.Errorf("%s of %s: %v (%s), kind %v", c.name, s, err, fail.HintOf(err), fail.KindOf(err))
			}
		}
	}
}

func clientOf(s Store) *client {
	switch s := s.(type) {
	case pyroscope:
		return s.client
	case parca:
		return s.client
	}
	return nil
}

func TestUnreachable(t *testing.T) {
	s, err := NewPyroscope("http://127.0.0.1:1", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Pull(t.Context(), s, lastHour); fail.KindOf(err) != fail.Environment ||
		!strings.Contains(err.Error(), "refused") {
		t.Errorf("not there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Pull(ctx, s, lastHour); fail.KindOf(err) != fail.Interrupted {
		t.Errorf("stopped: %v", err)
	}
}

// An answer that is not a profile is said so. Of Pyroscope the list of series is right before.
func TestNotAProfile(t *testing.T) {
	good := profstore.Pyroscope(profstore.Shop(cpuProfile(t)))
	s, err := NewPyroscope(serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/Series") {
			good.ServeHTTP(w, r)
			return
		}
		_, _ = w.Write([]byte("<html>"))
	})), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Pull(t.Context(), s, lastHour); fail.KindOf(err) != fail.Subject ||
		!strings.Contains(err.Error(), "HTML") {
		t.Errorf("%v", err)
	}
}

func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"ftp://h": "scheme", "http://": "no host", "https://u:p@h": "password", "http://h/?a=b": "query",
		"http://10.0.0.1:4040": "plain http", "::": "not a URL",
	} {
		if _, err := NewPyroscope(address, Options{Token: "t"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", address, err, want)
		}
	}
	for _, address := range []string{"https://h/base/", "http://127.0.0.1:4040", "http://localhost:4040"} {
		if _, err := NewParca(address, Options{Token: "t"}); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	for header, refused := range map[string]bool{"Authorization": true, "Cookie": true, "X-Api-Key": true,
		"X-Scope-OrgID": false} {
		o := Options{Headers: map[string]string{header: "Bearer abc123def456ghi789"}}
		if _, err := NewPyroscope("http://10.0.0.1:4040", o); (err != nil) != refused {
			t.Errorf("%s over plain http to another machine: %v", header, err)
		}
	}
	if _, err := NewParca("http://10.0.0.1:7070", Options{}); err != nil {
		t.Errorf("without credentials: %v", err)
	}
}

func TestParseTime(t *testing.T) {
	now := time.Date(2026, 11, 28, 17, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"now": now, "now-1h30m": now.Add(-90 * time.Minute), "now+1s": now.Add(time.Second),
		"2026-11-28T16:00:00Z": now.Add(-time.Hour), "1795885200": now,
	} {
		if got, err := ParseTime(text, now); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "now1h", "yesterday", "-5", "now-"} {
		if _, err := ParseTime(text, now); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	if _, _, err := ParseRange("now", "now-1h", now); err == nil || !strings.Contains(err.Error(), "is not before") {
		t.Errorf("%v", err)
	}
}

func FuzzParseTime(f *testing.F) {
	for _, text := range []string{"now", "now-1h", "2026-11-28T16:00:00Z", "1796"} {
		f.Add(text)
	}
	now := time.Now()
	f.Fuzz(func(_ *testing.T, text string) { _, _ = ParseTime(text, now) })
}

// Answers of any bytes are read or refused, without a panic.
func FuzzAnswers(f *testing.F) {
	for _, text := range []string{`{"labelsSet":[{"labels":[{"name":"a","value":"b"}]}]}`,
		`{"types":[{"name":"a","delta":true}]}`, `{"pprof":"H4sI"}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		var list seriesAnswer
		if listed.Start(t.Context(), "").JSON(answer) == nil && json.Unmarshal(answer, &list) == nil {
			groups, _ := groupSeries(list.series(), nil)
			for _, g := range groups {
				g.matchers("")
			}
		}
		var types parcaTypes
		if json.Unmarshal(answer, &types) == nil {
			for _, one := range types.types() {
				_ = partOf(one, nil).Kind() + string(one.ofTime())
			}
		}
		var report parcaAnswer
		if json.Unmarshal(answer, &report) == nil {
			if p, err := report.profile(); err == nil {
				restorePeriod(p)
			}
		}
	})
}
