package promapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/prometheus/storage"
)

// wantAnswer wants a status and a text in the body.
func wantAnswer(t *testing.T, what string, w *httptest.ResponseRecorder, status int, text string) {
	t.Helper()
	if w.Code != status || !strings.Contains(w.Body.String(), text) {
		t.Errorf("%s: %d %s; want %d and %q", what, w.Code, w.Body, status, text)
	}
}

func nothing() storage.Queryable {
	return storage.QueryableFunc(func(int64, int64) (storage.Querier, error) { return storage.NoopQuerier(), nil })
}

func TestMethods(t *testing.T) {
	h := New(over(t, nothing()))
	for _, row := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{http.MethodHead, query, 405, "GET, POST, OPTIONS"},
		{http.MethodPut, query, 405, "GET, POST, OPTIONS"},
		{http.MethodDelete, "/api/v1/series", 405, "GET, POST, OPTIONS"},
		{http.MethodPost, "/api/v1/label/job/values", 405, "GET, OPTIONS"},
		{http.MethodOptions, "/api/v1/label/job/values", 204, "GET, OPTIONS"},
		{http.MethodPost, "/-/healthy", 405, "GET, HEAD"},
		{http.MethodHead, "/-/ready", 200, ""},
	} {
		w := ask(h, row.method, row.path, nil)
		if w.Code != row.status || w.Header().Get("Allow") != row.allow {
			t.Errorf("%s %s: %d, Allow %q", row.method, row.path, w.Code, w.Header().Get("Allow"))
		}
	}
	wantAnswer(t, "health", ask(h, http.MethodGet, "/-/healthy", nil), 200, "healthy")
	for _, path := range []string{"/", "/api/v1/targets", "/api/v1/admin/tsdb/snapshot", "/metrics",
		"/api/v1/label/a/b/values"} {
		wantAnswer(t, path, ask(h, http.MethodGet, path, nil), 404, `"errorType":"not_found"`)
	}
}

func TestMetricsOfHoneItself(t *testing.T) {
	c := over(t, nothing())
	c.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "# EOF\n") })
	wantAnswer(t, "metrics", ask(New(c), http.MethodGet, "/metrics", nil), 200, "# EOF")
	wantAnswer(t, "metrics for a stranger", ask(New(c), http.MethodGet, "/metrics", nil, "Host", "evil.example"), 403,
		"forbidden")
}

// Forms come in the body, in the address, in parts, and can be too large or no forms.
func TestForms(t *testing.T) {
	h := New(over(t, nothing()))
	send := func(kind string, content io.Reader) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, query+"?time=60", content)
		r.Host = "localhost"
		r.Header.Set("Content-Type", kind)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	const form = "application/x-www-form-urlencoded"
	const sixty = `{"status":"success","data":{"resultType":"scalar","result":[60,"60"]}}`
	wantAnswer(t, "body and address", send(form, strings.NewReader("query=time()")), 200, sixty)
	wantAnswer(t, "parts", send("multipart/form-data; boundary=x",
		strings.NewReader("--x\r\nContent-Disposition: form-data; name=\"query\"\r\n\r\ntime()\r\n--x--\r\n")), 200,
		sixty)
	wantAnswer(t, "no form", send(form, strings.NewReader("query=%zz")), 400, "error parsing form values")
	wantAnswer(t, "parts without a boundary", send("multipart/form-data", strings.NewReader("--x\r\n")), 400,
		"error parsing form values")
	huge := io.MultiReader(strings.NewReader("query="), io.LimitReader(endless{}, maxBody))
	wantAnswer(t, "huge", send(form, huge), 413, "too large")
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return copy(b, bytes.Repeat([]byte{'1'}, len(b))), nil }

// More requests than turns wait for one, until their time is over.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		entered, leave := make(chan bool, 4), make(chan bool)
		c := over(t, nothing())
		c.Concurrency = 2
		c.Timeout = time.Minute
		c.Open = func(context.Context) (storage.Queryable, func() error, error) {
			entered <- true
			<-leave
			return nothing(), nil, nil
		}
		h := New(c)
		answers := make(chan *httptest.ResponseRecorder)
		begin := func(form ...string) {
			go func() { answers <- ask(h, http.MethodGet, query, pairs(form...)) }()
			synctest.Wait()
		}
		begin("query", "1")
		begin("query", "2")
		begin("query", "3")
		if len(entered) != 2 {
			t.Fatalf("%d read at a time", len(entered))
		}
		began := time.Now()
		begin("query", "4", "timeout", "10s")
		wantAnswer(t, "ten seconds", <-answers, 503, `"errorType":"timeout","error":"query timed out in query queue"`)
		if waited := time.Since(began); waited != 10*time.Second {
			t.Errorf("answered after %s", waited)
		}
		wantAnswer(t, "a minute", <-answers, 503, "query timed out in query queue")
		if waited := time.Since(began); waited != time.Minute {
			t.Errorf("answered after %s", waited)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/v1/labels", nil)
			r.Host = "localhost"
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			answers <- w
		}()
		synctest.Wait()
		cancel()
		wantAnswer(t, "who went away", <-answers, 503, `"errorType":"canceled"`)
		close(leave)
		<-answers
		<-answers
		wantAnswer(t, "after all", ask(h, http.MethodGet, query, pairs("query", "5")), 200, `"5"`)
	})
}

// The store is opened and closed once for each request that reads it, and its faults are 500.
func TestStoreOfEachRequest(t *testing.T) {
	opened, closed := 0, 0
	var opening, closing error
	c := over(t, nil)
	c.Open = func(context.Context) (storage.Queryable, func() error, error) {
		opened++
		return nothing(), func() error { closed++; return closing }, opening
	}
	h := New(c)
	for _, row := range []struct {
		path   string
		form   []string
		reads  int
		status int
	}{
		{query, []string{"query", "up"}, 1, 200},
		{query, []string{"query", "up("}, 0, 400},
		{query, []string{"query", "up", "time", "x"}, 0, 400},
		{"/api/v1/labels", nil, 1, 200},
		{"/api/v1/series", []string{"match[]", "up"}, 1, 200},
		{"/api/v1/series", nil, 0, 400},
		{"/api/v1/status/buildinfo", nil, 0, 200},
		{"/api/v1/rules", nil, 0, 200},
	} {
		opened, closed = 0, 0
		w := ask(h, http.MethodGet, row.path, pairs(row.form...))
		if w.Code != row.status || opened != row.reads || closed != row.reads {
			t.Errorf("%s %q: %d %s, opened %d times, closed %d times", row.path, row.form, w.Code, w.Body, opened,
				closed)
		}
	}
	closing = errors.New("of closing")
	wantAnswer(t, "fault of closing", ask(h, http.MethodGet, query, pairs("query", "up")), 500,
		`"errorType":"internal","error":"close metrics: of closing"`)
	opening = errors.New("of opening")
	wantAnswer(t, "fault of opening", ask(h, http.MethodGet, query, pairs("query", "up")), 500,
		`"errorType":"internal","error":"open metrics: of opening"`)
	c.Open = func(context.Context) (storage.Queryable, func() error, error) {
		return storage.QueryableFunc(func(int64, int64) (storage.Querier,
			error) {
			return nil, errors.New("of querier")
		}), nil, nil
	}
	wantAnswer(t, "fault of the store in a query", ask(New(c), http.MethodGet, query, pairs("query", "up")), 422,
		"of querier")
}

// A query that runs out of time or of samples says so.
func TestQueryLimits(t *testing.T) {
	h := filled(t)
	wantAnswer(t, "no time", ask(h, http.MethodGet, query, pairs("query", "up", "timeout", "0")), 503,
		`"errorType":"timeout"`)
	wantAnswer(t, "too many samples", ask(h, http.MethodGet, query,
		pairs("query", "count_over_time(vector(1)[30d:1s])", "time", late)),
		422, `"errorType":"execution","error":"query processing would load too many samples`)
}

// Statistics are for those who ask for them.
func TestStats(t *testing.T) {
	h := filled(t)
	w := ask(h, http.MethodGet, query, pairs("query", "up", "time", late, "stats", "true"))
	var got struct {
		Data struct {
			Result []any
			Stats  struct {
				Timings map[string]float64
				Samples struct{ TotalQueryableSamples int }
			}
		}
	}
	must(t, json.Unmarshal(w.Body.Bytes(), &got))
	if n := len(got.Data.Result); got.Data.Stats.Samples.TotalQueryableSamples != n || n == 0 ||
		len(got.Data.Stats.Timings) == 0 {
		t.Errorf("statistics of %d series: %s", n, w.Body)
	}
	wantAnswer(t, "none asked for", ask(h, http.MethodGet, query, pairs("query", "1", "time", "0")), 200,
		`{"status":"success","data":{"resultType":"scalar","result":[0,"1"]}}`)
}

// Deep expressions are refused, and neither end the process by a stack of 1 GB nor keep it
// busy for minutes.
func TestDeepExpressions(t *testing.T) {
	h := New(over(t, nothing()))
	for name, text := range map[string]string{
		"brackets": strings.Repeat("(", maxExpression/2) + strings.Repeat(")", maxExpression/2),
		"nested":   strings.Repeat("(", maxExpression/2-1) + "1" + strings.Repeat(")", maxExpression/2-1),
		"minuses":  strings.Repeat("-", maxExpression-2) + "up",
		"sums":     strings.Repeat("1+", maxExpression/2-1) + "1",
		"calls":    strings.Repeat("abs(", maxExpression/5-1) + "up" + strings.Repeat(")", maxExpression/5-1),
		"ranges": strings.Repeat("sum_over_time(", maxExpression/22-1) + "up" +
			strings.Repeat("[1m:1m])", maxExpression/22-1),
	} {
		if w := ask(h, http.MethodPost, query, pairs("query", text)); w.Code != 400 {
			t.Errorf("%s: %d %.200s", name, w.Code, w.Body)
		}
	}
	limit := strings.Repeat("abs(", maxDepth-1) + "up" + strings.Repeat(")", maxDepth-1)
	for _, path := range []string{query, "/api/v1/format_query", "/api/v1/query_exemplars"} {
		wantAnswer(t, path, ask(h, http.MethodPost, path, pairs("query", limit)), 200, "success")
		wantAnswer(t, path, ask(h, http.MethodPost, path, pairs("query", "-("+limit+")")), 400, "nested 258 deep")
	}
}

func TestBuildInfo(t *testing.T) {
	w := ask(New(over(t, nothing())), http.MethodGet, "/api/v1/status/buildinfo", nil)
	wantAnswer(t, "version of the API", w, 200, `"version":"`+apiVersion+`"`)
	wantAnswer(t, "version of hone", w, 200, `"revision":"1.2.3"`)
	if strings.Contains(w.Body.String(), "features") {
		t.Errorf("Grafana takes who has features for Mimir: %s", w.Body)
	}
	module, err := os.ReadFile("../../go.mod")
	must(t, err)
	var major, minor, patch int
	_, err = fmt.Sscanf(apiVersion, "%d.%d.%d", &major, &minor, &patch)
	must(t, err)
	want := fmt.Sprintf("github.com/prometheus/prometheus v0.%d%02d.%d", major, minor, patch)
	if !strings.Contains(string(module), want) {
		t.Errorf("apiVersion is %s, and go.mod has no %q: keep them together", apiVersion, want)
	}
}

func TestMetadata(t *testing.T) {
	c := over(t, nothing())
	known := []Metadata{
		{"up", "gauge", "Whether the target answered.", ""},
		{"b_seconds", "histogram", "B.", "seconds"},
		{"b_seconds", "histogram", "B.", "seconds"},
		{"b_seconds", "gauge", "Another B.", ""},
	}
	c.Metadata = func(metric string) []Metadata {
		var found []Metadata
		for _, m := range known {
			if metric == "" || metric == m.Metric {
				found = append(found, m)
			}
		}
		return found
	}
	const (
		up    = `"up":[{"type":"gauge","unit":"","help":"Whether the target answered."}]`
		first = `{"type":"histogram","unit":"seconds","help":"B."}`
		both  = `"b_seconds":[` + first + `,{"type":"gauge","unit":"","help":"Another B."}]`
	)
	for _, row := range []struct{ form, want string }{
		{"", both + "," + up},
		{"metric=up", up},
		{"metric=none", ""},
		{"limit=1", both},
		{"limit=0", ""},
		{"limit=-1", both + "," + up},
		{"limit_per_metric=1", `"b_seconds":[` + first + `],` + up},
		{"limit_per_metric=0", both + "," + up},
	} {
		w := ask(New(c), http.MethodGet, "/api/v1/metadata?"+row.form, nil)
		if want := `{"status":"success","data":{` + row.want + `}}`; w.Body.String() != want {
			t.Errorf("%s: %s\nwant %s", row.form, w.Body, want)
		}
	}
	wantAnswer(t, "none known", ask(New(over(t, nothing())), http.MethodGet, "/api/v1/metadata", nil), 200,
		`{"status":"success","data":{}}`)
	wantAnswer(t, "bad number", ask(New(c), http.MethodGet, "/api/v1/metadata?limit_per_metric=x", nil), 400,
		"limit_per_metric must be a number")
}
