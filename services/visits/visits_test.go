package visits

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// requests are what every stage must answer alike, in this order: each is a query.
var requests = []string{
	"name=gopher&color=blue", "name=gopher&color=red", "", "name=", "color=", "name=&name=second", "color=red&color=blue",
	"name=a%20b&color=blue", "name=a+b&color=blue", "na%6de=escaped", "n%61me=x&name=y", "name=1;color=blue", "col%6fr=red",
	"name=%3Cscript%3Ealert(1)%3C/script%3E", "name=<b>&color=blue", "name=\"quoted\"", `name=back\slash`, "name='&color='",
	"color=%22%3E", "color=red;", "color=red'", "color=r%C3%A9d", "color=%23ff0000", "color=#ff0000", "color=f#f", "color=red%20",
	"name=\u00e9", "name=\x80", "name=%ff%fe", "name=a=b", "&&name=x&", "name", "=y", "name=%0d%0aSet-Cookie:%20x", "name=%00\x01",
	"name=%zz", "name=%4", "name=%", "%zz=1&name=x", "name=%zz&name=after", "name=\x7f", "name=%E2%80%A8", "name=%26amp;", "name=%26amp%3B",
	"name=" + strings.Repeat("l", maxName), "name=" + strings.Repeat("l", maxName+1), "name=" + strings.Repeat("%3C", maxName),
	"color=" + strings.Repeat("f", maxColor), "color=" + strings.Repeat("f", maxColor+1),
	"x=" + strings.Repeat("x", maxQuery-2), "x=" + strings.Repeat("x", maxQuery-1), strings.Repeat("&", maxQuery),
	"name=visit color=red visits=1 name=x", "name=gopher&color=blue",
}

// All stages give the same answers to the same requests, byte for byte and in order, and
// their logs say the same of them.
func TestStagesAgree(t *testing.T) {
	type exchange struct {
		answer string
		log    logged
	}
	converse := func(s Stage) []exchange {
		h, log := logOf(t, s)
		var all []exchange
		for _, q := range requests {
			for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
				log.Reset()
				w := ask(h, method, q)
				e := exchange{answer: fmt.Sprintln(w.Code, w.Header(), w.Body)}
				if w.Code == http.StatusOK {
					e.log = readLine(t, log.String())
				} else if log.Len() > 0 {
					t.Errorf("%s, %s %.80q: answer %d, but log %q", s.Name, method, q, w.Code, log)
				}
				all = append(all, e)
			}
		}
		return all
	}
	first := converse(Stages[0])
	for _, s := range Stages[1:] {
		for i, got := range converse(s) {
			if got != first[i] {
				t.Errorf("%s, query %.80q:\n%+v\n%s has\n%+v", s.Name, requests[i/3], got, Stages[0].Name, first[i])
			}
		}
	}
}

// The page is whole and well formed, and shows name, color and number and nothing that a
// visitor has smuggled in.
func TestPage(t *testing.T) {
	eachStage(t, func(t *testing.T, s Stage) {
		h, log := logOf(t, s)
		const whole = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/><title>Visits</title></head>` +
			`<body><h1 style="color: blue">Welcome!</h1><p>Name: gopher</p><p>Visits: 1</p></body></html>` + "\n"
		w := ask(h, http.MethodGet, "name=gopher&color=blue")
		if w.Code != http.StatusOK || w.Body.String() != whole || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
		}
		if got, want := readLine(t, log.String()), (logged{Msg: "visit", Name: "gopher", Color: "blue", Visits: 1}); got != want {
			t.Errorf("log %+v, want %+v", got, want)
		}
		for _, name := range []string{"<script>alert(1)</script>", `"><img src=x>`, "a&b&lt;", "'quoted'", "]]><!--"} {
			page := ask(h, http.MethodGet, "name="+escaped(name)).Body.String()
			if elements, text := parsePage(t, page); elements != "html head meta title body h1 p p " || text != "VisitsWelcome!Name: "+name+"Visits: 1\n" {
				t.Errorf("%q: elements %s and text %q in\n%s", name, elements, text, page)
			}
		}
	})
}

// escaped escapes every byte of a query's value.
func escaped(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

// parsePage returns the elements of a page that is well formed, and its text.
func parsePage(t *testing.T, page string) (elements, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Entity = xml.HTMLEntity
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return elements, text
		case err != nil:
			t.Fatalf("%v in\n%s", err, page)
		}
		switch token := token.(type) {
		case xml.StartElement:
			elements += token.Name.Local + " "
		case xml.CharData:
			text += string(token)
		}
	}
}

func TestRefusals(t *testing.T) {
	eachStage(t, func(t *testing.T, s Stage) {
		h, _ := logOf(t, s)
		for _, tc := range []struct {
			method, query string
			status        int
			body          string
		}{
			{http.MethodPost, "name=x", http.StatusMethodNotAllowed, "want GET or HEAD\n"},
			{http.MethodGet, "color=" + escaped("red'><script>"), http.StatusBadRequest, colorFault.message},
			{http.MethodGet, "color=" + escaped("red;background:url(x)"), http.StatusBadRequest, colorFault.message},
			{http.MethodGet, "name=" + strings.Repeat("%61", maxName+1), http.StatusBadRequest, "want a name of at most 256 bytes\n"},
			{http.MethodGet, strings.Repeat("x", maxQuery+1), http.StatusRequestURITooLong, "want a query of at most 4096 bytes\n"},
		} {
			w := ask(h, tc.method, tc.query)
			if w.Code != tc.status || w.Body.String() != tc.body || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
				t.Errorf("%s %.40s: %d %v %s", tc.method, tc.query, w.Code, w.Header(), w.Body)
			}
			if allow := w.Header().Get("Allow"); (tc.status == http.StatusMethodNotAllowed) != (allow == "GET, HEAD") {
				t.Errorf("%s: Allow is %q", tc.method, allow)
			}
		}
		if w := ask(h, http.MethodGet, "name=x"); !strings.Contains(w.Body.String(), "Visits: 1<") {
			t.Errorf("a refused visit was counted: %s", w.Body)
		}
	})
}

// Names beyond the bound are counted together, and those that are known stay known.
func TestNamesAreBounded(t *testing.T) {
	eachStage(t, func(t *testing.T, s Stage) {
		h := counter(t, s, Config{MaxNames: 2})
		for i, visit := range []struct {
			name  string
			count int
		}{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 2}, {"a", 2}, {"c", 3}, {"b", 2}, {"a", 3}, {"e", 4}} {
			w := ask(h, http.MethodGet, "name="+visit.name)
			if want := fmt.Sprintf("Name: %s</p><p>Visits: %d<", visit.name, visit.count); !strings.Contains(w.Body.String(), want) {
				t.Errorf("visit %d: %s, want %s", i, w.Body, want)
			}
		}
	})
}

// Visits at the same time lose no count, count none twice and tear no line of the log; the
// bound on names holds.
func TestVisitsAtOnce(t *testing.T) {
	const visitors, visits, names = 8, 100, 5
	eachStage(t, func(t *testing.T, s Stage) {
		log := new(bytes.Buffer)
		h := counter(t, s, Config{Log: log, MaxNames: names})
		var all sync.WaitGroup
		for v := range visitors {
			all.Go(func() {
				for i := range visits {
					w := httptest.NewRecorder()
					h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, fmt.Sprintf("/hello?name=n%d", (i+v)%(2*names)), nil))
				}
			})
		}
		all.Wait()
		// Each of the names has as many visits, numbered from 1 without a gap; so have those
		// that are counted together. Which names those are is a matter of who came first.
		numbers := map[int]int{}
		for line := range strings.Lines(log.String()) {
			if !json.Valid([]byte(line)) {
				t.Fatalf("torn line %q", line)
			}
			numbers[readLine(t, line).Visits]++
		}
		const each, together = visitors * visits / (2 * names), visitors * visits / 2
		for n := 1; n <= together; n++ {
			want := 1
			if n <= each {
				want = names + 1
			}
			if numbers[n] != want {
				t.Errorf("number %d was given %d times, want %d", n, numbers[n], want)
			}
		}
	})
}

func TestStageNames(t *testing.T) {
	if _, err := LookupStage("nope"); err == nil || !strings.Contains(err.Error(), "pooled-log, zerolog") {
		t.Errorf("%v", err)
	}
	for _, s := range Stages {
		if got, err := LookupStage(s.Name); err != nil || got.Name != s.Name || got.Change == "" {
			t.Errorf("%s: %+v, %v", s.Name, got, err)
		}
	}
	if _, err := LookupStage(DefaultStage); err != nil {
		t.Error(err)
	}
}

func TestBadConfigurations(t *testing.T) {
	if _, err := Stages[0].New(Config{MaxNames: -1}); err == nil || !strings.Contains(err.Error(), "max names is -1") {
		t.Errorf("%v", err)
	}
	if _, err := (Stage{}).New(Config{}); err == nil {
		t.Error("a stage of no ladder was built")
	}
}

// A log that cannot be written to fails no visit.
func TestABrokenLogFailsNoVisit(t *testing.T) {
	h := counter(t, Stages[len(Stages)-1], Config{Log: brokenLog{}})
	if w := ask(h, http.MethodGet, "name=x"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "Visits: 1<") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

type brokenLog struct{}

func (brokenLog) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// A text that is not UTF-8 stays out of the log, which is JSON.
func TestLogsAreUTF8(t *testing.T) {
	eachStage(t, func(t *testing.T, s Stage) {
		h, log := logOf(t, s)
		ask(h, http.MethodGet, "name=a%ff%E2%80b")
		if !utf8.Valid(log.Bytes()) || readLine(t, log.String()).Name != "a\ufffd\ufffd\ufffdb" {
			t.Errorf("log is %q", log)
		}
	})
}
