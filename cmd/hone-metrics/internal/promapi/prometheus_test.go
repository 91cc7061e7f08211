package promapi

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/cmd/hone-metrics/internal/promapi/promtest"
)

// A packaged Prometheus that reads the same files answers the same.
func TestPrometheusAnswersTheSame(t *testing.T) {
	data := t.TempDir()
	theirs, ours := filepath.Join(data, "theirs"), filepath.Join(data, "ours")
	fill(t, theirs)
	must(t, os.CopyFS(ours, os.DirFS(theirs)))
	p := promtest.Start(t, theirs)
	h := New(over(t, opened(t, ours)))
	for _, r := range requests {
		t.Run(strings.ReplaceAll(r.name, " ", "-"), func(t *testing.T) {
			switch {
			case r.own != "":
				t.Skipf("hone differs on purpose: %s", r.own)
			case r.newer != "" && p.Major < 3:
				t.Skipf("this is Prometheus %s: %s", p.Version, r.newer)
			}
			got, want := answered(t, h, r), fetched(t, p.URL, r)
			if r.chance || r.words && p.Major < 3 {
				got.Body, want.Body = errorType(t, got), errorType(t, want)
			}
			compare(t, r, got, want, "Prometheus "+p.Version)
		})
	}
}

// fetched asks over the network.
func fetched(t *testing.T, url string, r request) recorded {
	t.Helper()
	method, address, content := http.MethodGet, url+r.path+"?"+r.form.Encode(), io.Reader(nil)
	if r.method == http.MethodPost {
		method, address, content = r.method, url+r.path, strings.NewReader(r.form.Encode())
	}
	asked, err := http.NewRequestWithContext(t.Context(), method, address, content)
	must(t, err)
	if content != nil {
		asked.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	line := &http.Transport{DisableKeepAlives: true}
	answer, err := line.RoundTrip(asked)
	must(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	must(t, err)
	return recorded{r.name, answer.StatusCode, body}
}

// errorType is what is left of an error without its words.
func errorType(t *testing.T, a recorded) []byte {
	t.Helper()
	var e map[string]any
	must(t, json.Unmarshal(a.Body, &e))
	if e["error"] == "" {
		t.Errorf("no words: %s", a.Body)
	}
	delete(e, "error")
	left, err := json.Marshal(e)
	must(t, err)
	return left
}
