package visits

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// requests are what every stage must answer alike, in this order: each is a query.
var requests = []string{
	"name=gopher&color=blue", "name=gopher&color=red", "", "name=", "color=", "name=&name=second",
	"name=a%20b&color=blue", "name=a+b&color=blue", "na%6de=escaped", "name=1;color=blue",
	"name=%3Cscript%3Ealert(1)%3C/script%3E", "name=<b>&color=blue", "name=\"quoted\"", `name=back\slash`,
	"color=%22%3E", "color=red;", "color=red'", "color=r%C3%A9d", "name=\u00e9", "name=\x80", "name=a=b", "&&name=x&", "name", "=y",
	"name=%zz", "name=\x7f", "name=" + strings.Repeat("long", 2000), "name=gopher&color=blue",
}

// TestStagesAgree sends the same requests to each stage, over HTTP and in order.
func TestStagesAgree(t *testing.T) {
	var first []string
	for i, s := range Stages {
		got := converse(t, s)
		if i == 0 {
			first = got
			continue
		}
		for j := range got {
			if got[j] != first[j] {
				t.Errorf("%s, query %q:\n%s\n%s has\n%s", s.Name, requests[j/2], got[j], Stages[0].Name, first[j])
			}
		}
	}
}

// converse returns an answer and a log line for each request.
func converse(t *testing.T, s Stage) []string {
	t.Helper()
	var log bytes.Buffer
	h := s.New(&log)
	var all []string
	for _, q := range requests {
		log.Reset()
		r := httptest.NewRequest(http.MethodGet, "/hello", nil)
		r.URL.RawQuery = q
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		all = append(all, w.Result().Status+" "+w.Header().Get("Content-Type")+" "+w.Body.String(), log.String())
	}
	return all
}

func TestWhatAVisitorSees(t *testing.T) {
	for _, s := range Stages {
		var log bytes.Buffer
		server := httptest.NewServer(s.New(&log))
		defer server.Close()
		get := func(query string) (int, string) {
			resp, err := server.Client().Get(server.URL + "/hello?" + query)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			return resp.StatusCode, string(body)
		}
		get("name=gopher")
		if _, body := get("name=gopher&color=blue"); body != "<h1 style='color: blue'>Welcome, gopher!</h1>You are visit number 2.\n" {
			t.Errorf("%s: second visit: %q", s.Name, body)
		}
		if _, body := get("name=" + url.QueryEscape("<script>")); strings.Contains(body, "<script>") {
			t.Errorf("%s: name not escaped: %q", s.Name, body)
		}
		if status, _ := get("color=" + url.QueryEscape("red'><script>")); status != http.StatusBadRequest {
			t.Errorf("%s: a color that is none: status %d", s.Name, status)
		}
		if resp, err := server.Client().Post(server.URL+"/hello", "text/plain", nil); err != nil || resp.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: POST: %v, %v", s.Name, resp, err)
		} else {
			resp.Body.Close()
		}
		var line struct {
			Name, Color string
			Visits      int
		}
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		if err := json.Unmarshal([]byte(lines[1]), &line); err != nil || len(lines) != 3 || line.Visits != 2 || line.Name != "gopher" || line.Color != "blue" {
			t.Errorf("%s: log %q (%v), want a line for each of 3 visits", s.Name, log.String(), err)
		}
	}
}

// TestVisitsAtOnce loses no visit and tears no line of the log.
func TestVisitsAtOnce(t *testing.T) {
	const visitors, visits = 8, 100
	for _, s := range Stages {
		var log bytes.Buffer
		h := s.New(&log)
		var all sync.WaitGroup
		for range visitors {
			all.Go(func() {
				for range visits {
					h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/hello?name=x", nil))
				}
			})
		}
		all.Wait()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/hello?name=x", nil))
		if !strings.Contains(w.Body.String(), "visit number 801.") {
			t.Errorf("%s: after 800 visits: %s", s.Name, w.Body)
		}
		for line := range strings.Lines(log.String()) {
			if !json.Valid([]byte(line)) {
				t.Fatalf("%s: torn line %q", s.Name, line)
			}
		}
	}
}

func TestUnknownStageNamesTheKnown(t *testing.T) {
	if _, err := LookupStage("nope"); err == nil || !strings.Contains(err.Error(), "regexp-once") {
		t.Errorf("%v", err)
	}
	for _, s := range Stages {
		if got, err := LookupStage(s.Name); err != nil || got.Name != s.Name || got.Change == "" {
			t.Errorf("%s: %+v, %v", s.Name, got, err)
		}
	}
}

// FuzzAskedInPlace holds the short way of reading a query against net/url's.
func FuzzAskedInPlace(f *testing.F) {
	for _, q := range requests {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r := &http.Request{URL: &url.URL{RawQuery: query}}
		name, color := askedInPlace(r)
		if wantName, wantColor := asked(r); name != wantName || color != wantColor {
			t.Errorf("%q: %q, %q; net/url has %q, %q", query, name, color, wantName, wantColor)
		}
	})
}

// FuzzAppendLogline holds the appended log line against the marshalled one.
func FuzzAppendLogline(f *testing.F) {
	f.Add("gopher", "blue", 1)
	f.Add("<\u2028\x00\xff\x7f\"\\", "", -1)
	f.Fuzz(func(t *testing.T, name, color string, count int) {
		if !isColor(color) {
			return
		}
		if got, want := appendLogline(nil, name, color, count), marshalled(name, color, count); !bytes.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}
