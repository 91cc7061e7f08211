package promapi

import (
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false,
	"rewrite testdata/answers.json with what hone answers; check it with a Prometheus in PATH")

// recorded is an answer as the file of recorded ones has it.
type recorded struct {
	Name   string          `json:"name"`
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body,omitempty"`
}

// Every answer is the recorded one. That those are Prometheus' is for TestPrometheusAnswersTheSame.
func TestAnswersAreThoseRecorded(t *testing.T) {
	h := filled(t)
	file := filepath.Join("testdata", "answers.json")
	var got []recorded
	for _, r := range requests {
		got = append(got, answered(t, h, r))
	}
	if *update {
		var text []byte
		for i, a := range got {
			line, err := json.Marshal(a)
			must(t, err)
			text = append(append(text, "[,"[min(i, 1)], '\n'), line...)
		}
		must(t, os.MkdirAll("testdata", 0o755))
		must(t, os.WriteFile(file, append(text, "\n]\n"...), 0o644))
	}
	text, err := os.ReadFile(file)
	must(t, err)
	var want []recorded
	must(t, json.Unmarshal(text, &want))
	if len(got) != len(want) {
		t.Fatalf("%d answers, %d recorded: go test -update records them", len(got), len(want))
	}
	for i := range got {
		compare(t, requests[i], got[i], want[i], "recorded")
	}
}

// Requests at the same time are answered as those after each other.
func TestManyAtOnce(t *testing.T) {
	h := filled(t)
	var want []recorded
	for _, r := range requests {
		want = append(want, answered(t, h, r))
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i, r := range requests {
				if !r.chance {
					compare(t, r, answered(t, h, r), want[i], "alone")
				}
			}
		})
	}
	all.Wait()
}

func answered(t testing.TB, h http.Handler, r request) recorded {
	t.Helper()
	method := r.method
	if method == "" {
		method = http.MethodGet
	}
	w := ask(h, method, r.path, r.form)
	if kind := w.Header().Get("Content-Type"); w.Body.Len() > 0 && kind != "application/json" {
		t.Errorf("%s: content type %q", r.name, kind)
	}
	return recorded{r.name, w.Code, w.Body.Bytes()}
}

// compare wants the same status and, whatever the order of keys and spaces, the same JSON.
func compare(t *testing.T, r request, got, want recorded, whose string) {
	t.Helper()
	if got.Name != want.Name || got.Status != want.Status ||
		!reflect.DeepEqual(decoded(t, r, got), decoded(t, r, want)) {
		t.Errorf("%s %s\n got %s: %d %s\n%s %s: %d %s", r.path, r.form.Encode(), got.Name, got.Status, got.Body, whose,
			want.Name, want.Status, want.Body)
	}
}

// decoded is the body as maps and lists, with the results in order if theirs is open.
func decoded(t *testing.T, r request, a recorded) any {
	t.Helper()
	if len(a.Body) == 0 {
		return nil
	}
	var v any
	if err := json.Unmarshal(a.Body, &v); err != nil {
		t.Errorf("%s: %v in %s", r.name, err, a.Body)
		return nil
	}
	envelope, _ := v.(map[string]any)
	for _, notes := range []string{"warnings", "infos"} {
		sorted(envelope[notes])
	}
	if r.unordered {
		data := envelope["data"]
		if object, ok := data.(map[string]any); ok {
			data = object["result"]
		}
		sorted(data)
	}
	return v
}

func sorted(v any) {
	list, _ := v.([]any)
	slices.SortFunc(list, func(a, b any) int {
		one, _ := json.Marshal(a)
		other, _ := json.Marshal(b)
		return strings.Compare(string(one), string(other))
	})
}
