package remotewrite

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"

	"github.com/gohone/hone/internal/text/fail"
)

// one is a store with one sample.
func one(at time.Time) storage.Queryable {
	return memory(labels.FromStrings("__name__", "up", "job", "a"), point{at.UnixMilli(), 1})
}

// answers plays a receiver: one answer per request, the last one for ever.
type answers struct {
	list  []func(http.ResponseWriter, *http.Request)
	at    []time.Time
	asked []*http.Request
}

func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	a.at, a.asked = append(a.at, time.Now()), append(a.asked, r)
	play := a.list[min(len(a.at), len(a.list))-1]
	if play == nil {
		return nil, errors.New("connection refused")
	}
	w := httptest.NewRecorder()
	play(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return w.Result(), nil
}

// says answers with a status, a text, and headers in pairs.
func says(status int, text string, headers ...string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(text))
	}
}

const somewhere = "http://store.example:9090/api/v1/write"

// What may pass is tried again, after a wait that grows or that the receiver asked for.
func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var why []string
		to := &answers{list: []func(http.ResponseWriter, *http.Request){
			nil,
			says(503, "starting"),
			says(429, "slow down", "Retry-After", "7"),
			says(500, "oh", "Retry-After", "86400"),
			says(204, ""),
		}}
		stats, err := Push(t.Context(), somewhere, one(base), selected(1, "up"),
			Options{Transport: to, OnRetry: func(err error) { why = append(why, err.Error()) }})
		must(t, err)
		if stats != (Stats{1, 1, 0, 1, 4}) {
			t.Errorf("%+v", stats)
		}
		for i, text := range []string{"connection refused", "503 Service Unavailable: starting",
			"429 Too Many Requests: slow down", "500 Internal Server Error: oh"} {
			if i >= len(why) || !strings.Contains(why[i], text) {
				t.Errorf("retry %d because of %q, want %q", i, why, text)
			}
		}
		for i, least := range []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, 7 * time.Second,
			maxWait} {
			if wait := to.at[i+1].Sub(to.at[i]); wait < least || wait > least+4*time.Second {
				t.Errorf("wait %d: %s, want %s and a little more", i, wait, least)
			}
		}
	})
}

// What is not over after the last retry is the error.
func TestRetriesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, row := range []struct {
			answer     func(http.ResponseWriter, *http.Request)
			text, hint string
		}{
			{nil, "connection refused", ""},
			{says(502, "<html>\n\tbad \x00 gateway\r\n</html>"), "502 Bad Gateway: <html> bad gateway </html>", ""},
			{says(429, ""), "429", "try again later"},
			{says(500, "native histograms are disabled"), "native histograms are disabled",
				"--enable-feature=native-histograms"},
		} {
			to := &answers{list: []func(http.ResponseWriter, *http.Request){row.answer}}
			stats, err := Push(t.Context(), somewhere, one(base), selected(1, "up"), Options{Transport: to, Retries: 3})
			wantFault(t, err, fail.Environment, row.text, row.hint)
			wantFault(t, err, fail.Environment, `push to `+somewhere+
				`: 1 sample of {__name__="up", job="a"}, from 2026-01-02T04:00:00.000Z to 2026-01-02T04:00:00.000Z: `,
				"")
			if stats != (Stats{Retries: 3}) || len(to.at) != 4 {
				t.Errorf("%q: %+v after %d requests", row.text, stats, len(to.at))
			}
		}
	})
}

// What the receiver refuses is not sent again, and the error has its reason and a way out.
func TestRefusals(t *testing.T) {
	for _, row := range []struct {
		answer     func(http.ResponseWriter, *http.Request)
		text, hint string
	}{
		{says(400, "out of order sample\n"), "400 Bad Request: out of order sample",
			"storage.tsdb.out_of_order_time_window"},
		{says(400, "out of bounds"), "out of bounds", "out_of_order_time_window"},
		{says(400, "too old sample"), "too old sample", "out_of_order_time_window"},
		{says(400, "duplicate sample for timestamp"), "duplicate sample", "add a label"},
		{says(400, "who knows"), "who knows", ""},
		{says(401, ""), "401", "bearer token"},
		{says(403, "no"), "403", "X-Scope-OrgID"},
		{says(404, "remote write receiver needs to be enabled"), "needs to be enabled",
			"--web.enable-remote-write-receiver"},
		{says(405, ""), "405", "/api/v1/write"},
		{says(413, ""), "413", "fewer samples"},
		{says(415, "only 1.0"), "only 1.0", "other protocol"},
		{says(302, "", "Location", "https://elsewhere.example/w"), "302", "https://elsewhere.example/w"},
		{says(400, strings.Repeat("x", 1<<20)), strings.Repeat("x", maxMessage), ""},
	} {
		to := &answers{list: []func(http.ResponseWriter, *http.Request){row.answer}}
		stats, err := Push(t.Context(), somewhere, one(base), selected(1, "up"),
			Options{Transport: to, BearerToken: "secret"})
		wantFault(t, err, fail.BadInput, row.text, row.hint)
		if len(err.Error()) > 2*maxMessage || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %d bytes: %.300s", row.text, len(err.Error()), err)
		}
		if stats != (Stats{}) || len(to.at) != 1 {
			t.Errorf("%q: %+v after %d requests", row.text, stats, len(to.at))
		}
	}
}

// A receiver that takes a request of protocol 2.0 for something else has stored nothing.
func TestProtocolUnknownToTheReceiver(t *testing.T) {
	to := &answers{list: []func(http.ResponseWriter, *http.Request){says(204, "")}}
	stats, err := Push(t.Context(), somewhere, one(base), selected(1, "up"), Options{Transport: to, Protocol: "2.0"})
	wantFault(t, err, fail.BadInput, "statistics indicate 0 samples", "use 1.0")
	if stats != (Stats{}) {
		t.Errorf("%+v", stats)
	}
}

// The answer to a request may be lost after it was stored; then the next try is refused.
func TestStoredBeforeTheAnswerWasLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := &answers{list: []func(http.ResponseWriter, *http.Request){nil, says(400, "out of order sample")}}
		_, err := Push(t.Context(), somewhere, one(base), selected(1, "up"), Options{Transport: to})
		wantFault(t, err, fail.BadInput,
			"sent more than once and maybe stored: server returned HTTP status 400 Bad Request: out of order sample",
			"out_of_order_time_window")
	})
}

// The window that is asked for reaches back to the start of the selection.
func TestHintNamesTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now() // a time of the bubble
		s := selected(1, "up")
		s.From, s.To = now.Add(-25*time.Hour-time.Minute), now
		p := push{line: &line{answered: 400}, to: must1(parseEndpoint(somewhere)), selection: s}
		wantFault(t, p.explain(content{}, errors.New("out of bounds"), false), fail.BadInput, "out of bounds",
			"to 27h or more")
	})
}

func must1[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A push that is no longer wanted ends at once: in a request, in a wait, and between them.
func TestCancel(t *testing.T) {
	for name, play := range map[string]func(http.ResponseWriter, *http.Request){
		"in a request": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"in a wait":    says(503, "", "Retry-After", "60"),
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(10*time.Second, func() { cancel(errors.New("enough")) })
			began := time.Now()
			_, err := Push(ctx, somewhere, one(base), selected(1, "up"),
				Options{Transport: &answers{list: []func(http.ResponseWriter, *http.Request){play}}})
			wantFault(t, err, fail.Interrupted, "push stopped: enough", "")
			if took := time.Since(began); took != 10*time.Second {
				t.Errorf("%s: ended after %s", name, took)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	to := &answers{}
	_, err := Push(ctx, somewhere, storage.QueryableFunc(func(int64, int64) (storage.Querier,
		error) {
		return storage.NoopQuerier(), nil
	}),
		selected(1, "up"), Options{Transport: to})
	wantFault(t, err, fail.Interrupted, "push stopped", "")
}

// A request that takes too long is one that may pass.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
		to := &answers{list: []func(http.ResponseWriter, *http.Request){hangs, says(204, "")}}
		began := time.Now()
		stats, err := Push(t.Context(), somewhere, one(base), selected(1, "up"),
			Options{Transport: to, Timeout: 3 * time.Second})
		must(t, err)
		if took := time.Since(began); stats.Retries != 1 || took < 3*time.Second || took > 5*time.Second {
			t.Errorf("%+v after %s", stats, took)
		}
	})
}

// Credentials and headers are on each request, and the protocol's are as its text says.
func TestHeaders(t *testing.T) {
	for _, row := range []struct {
		options Options
		url     string
		want    map[string]string
	}{
		{Options{Username: "u", Password: "p:w"}, somewhere, map[string]string{"Authorization": "Basic dTpwOnc="}},
		{Options{}, "http://u:p%3Aw@store.example/w", map[string]string{"Authorization": "Basic dTpwOnc="}},
		{Options{BearerToken: "t0"}, "http://u:p@store.example/w", map[string]string{"Authorization": "Bearer t0"}},
		{Options{Headers: map[string]string{"x-scope-orgid": "team", "Authorization": "Own x"}}, somewhere,
			map[string]string{"X-Scope-Orgid": "team", "Authorization": "Own x"}},
		{Options{}, somewhere, map[string]string{"Authorization": "", "User-Agent": "hone",
			"Content-Encoding": "snappy",
			"Content-Type":     "application/x-protobuf", "X-Prometheus-Remote-Write-Version": "0.1.0"}},
		{Options{Protocol: "2.0"}, somewhere, map[string]string{
			"Content-Type":                      "application/x-protobuf;proto=io.prometheus.write.v2.Request",
			"X-Prometheus-Remote-Write-Version": "2.0.0"}},
	} {
		to := &answers{list: []func(http.ResponseWriter,
			*http.Request){says(204, "", "X-Prometheus-Remote-Write-Samples-Written", "1")}}
		row.options.Transport = to
		_, err := Push(t.Context(), row.url, one(base), selected(1, "up"), row.options)
		must(t, err)
		for name, want := range row.want {
			if got := to.asked[0].Header.Get(name); got != want {
				t.Errorf("%+v: %s is %q, want %q", row.options, name, got, want)
			}
		}
	}
}

func TestBounded(t *testing.T) {
	soon := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	for asked, want := range map[string]string{
		"": "0", "0": "0", "7": "7", "-7": "0", "300": "300", "301": "300", "99999999999999999999": "300",
		"-99999999999999999999": "0",
		"1.5":                   "0", "soon": "0", soon: "300", "Fri, 02 Jan 1970 00:00:00 GMT": "0",
	} {
		if got := bounded(asked); got != want {
			t.Errorf("%q: %s, want %s", asked, got, want)
		}
	}
}
