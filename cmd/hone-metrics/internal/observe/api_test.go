package observe

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// answer is what Prometheus' API says.
type answer struct {
	Status, Error string
	Data          json.RawMessage
}

// get asks the API as Grafana's proxy does for the data source hone; an error on the way
// is one of the answer.
func get(ctx context.Context, api, path string, query url.Values) (a answer) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, api+path+"?"+query.Encode(), nil)
	if err != nil {
		return answer{Error: err.Error()}
	}
	request.Close = true
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{Error: err.Error()}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		return answer{Error: fmt.Sprintf("%v: %s", err, text)}
	}
	return a
}

// into reads the data of an answer, or says why there are none.
func (a answer) into(data any) error {
	if a.Status != "success" {
		return fmt.Errorf("status %q: %s", a.Status, a.Error)
	}
	return json.Unmarshal(a.Data, data)
}

// series is one of an answer over a range: points of a time and a number in text.
type series struct {
	Metric map[string]string
	Values [][2]any
}

// asked is how the dashboards' expressions are asked of one API.
type asked struct {
	api    string
	window time.Duration // what $__rate_interval stands for
}

// lookBack is the range of the questions: that of a dashboard that was just opened.
const lookBack = time.Minute

// find asks for an expression as Grafana does: for a panel over a range, for a variable for
// the values of its label. It returns how many series or values there are that have a
// finite number in them, or why it cannot tell.
func (q asked) find(ctx context.Context, e Expression, run, job, instance string) (int, error) {
	// of the published panels: so many scrapes there are not yet
	expr := strings.ReplaceAll(e.Resolved(run, job, instance, q.window), publishedWindow,
		"["+promDuration(q.window)+"]")
	now := time.Now()
	at := func(t time.Time) []string {
		return []string{strconv.FormatFloat(float64(t.UnixMilli())/1e3, 'f', 3, 64)}
	}
	if label, ok := strings.CutPrefix(e.Panel, "variable "); ok {
		var values []string
		err := get(ctx, q.api, "/api/v1/label/"+label+"/values", url.Values{
			"match[]": {expr}, "start": at(now.Add(-lookBack)), "end": at(now),
		}).into(&values)
		want := map[string]string{"run": run, "job": job, "instance": instance}[label]
		if err == nil && want != anyRun && !slices.Contains(values, want) {
			err = fmt.Errorf("%v lacks %s", values, want)
		}
		return len(values), err
	}
	var data struct{ Result []series }
	err := get(ctx, q.api, "/api/v1/query_range", url.Values{
		"query": {expr}, "start": at(now.Add(-lookBack)), "end": at(now), "step": {"0.2"},
	}).into(&data)
	n := 0
	for _, s := range data.Result {
		if slices.ContainsFunc(s.Values, isFinite) {
			n++
		}
	}
	return n, err
}

// anyRun is the choice All of the variable run.
const anyRun = ".*"

func isFinite(point [2]any) bool {
	text, _ := point[1].(string)
	x, err := strconv.ParseFloat(text, 64)
	return err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// withoutNumber are panels whose numbers are no numbers while all goes well.
var withoutNumber = map[string]string{
	"Share of connections with a fault": "no connection comes: 0/0",
	"FramedConnectionFaults":            "the same",
}

// awaitAnswer polls until an expression has an answer.
func (q asked) awaitAnswer(t *testing.T, e Expression, run, job, instance string) {
	t.Helper()
	await(t, func() string {
		runtime.GC() // so that the collector of this process, which is the service's, has something to show
		n, err := q.find(t.Context(), e, run, job, instance)
		switch {
		case err != nil:
			return fmt.Sprintf("%s, %s, job %s: %v\n%s", e.Dashboard, e.Panel, job, err, e.Expr)
		case n == 0 && withoutNumber[e.Panel] == "" && !(run == anyRun && e.Panel == "variable run"):
			return fmt.Sprintf("%s, %s, job %s: no answer\n%s", e.Dashboard, e.Panel, job, e.Expr)
		}
		return ""
	})
}

// await polls until nothing is missing any more: what it waits for happens in other
// processes, or in Prometheus' own goroutines.
func await(t *testing.T, missing func() string) {
	t.Helper()
	end := time.Now().Add(patience)
	for {
		what := missing()
		if what == "" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("waited %v: %s", patience, what)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
