package pprofweb

import (
	"net/http"

	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/prof"
)

// index is the page that lists the profiles.
type index struct {
	Title, Base           string
	Profiles, Differences []entry
}

type entry struct {
	Name, Path, What, Note string
	Views                  []link
}

// whats says what the kinds are, in words.
var whats = map[string]string{
	"cpu":           "CPU time",
	"wait":          "wall time of a request",
	"allocs":        "what was allocated",
	"heap":          "what was live",
	"mutex":         "waiting caused by holding locks",
	"block":         "waiting for locks and channels",
	"goroutine":     "goroutines",
	"goroutineleak": "goroutines that nothing can wake",
}

func (s *Site) index(base string) http.Handler {
	page := index{Title: s.title, Base: base}
	for _, m := range s.mounted {
		e := entry{Name: m.Kind(), Path: m.path, What: whats[m.Kind()], Views: m.menu(nil).Views}
		if m.Base == nil {
			e.Note = m.total()
			page.Profiles = append(page.Profiles, e)
		} else {
			e.Note = m.leveled()
			page.Differences = append(page.Differences, e)
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { write(w, http.StatusOK, "index", page) })
}

// total is the sum of the default sample type, and the requests that it was for.
func (m *mounted) total() string {
	i, err := m.shown.SampleIndexByName("")
	if err != nil {
		return ""
	}
	t := m.shown.SampleType[i]
	text := value(m.whole(""), t.Unit)
	if m.Capture.Kind == prof.WaitKind {
		return text + " of a request"
	}
	if m.Capture.Operations > 0 && prof.Accumulates(m.Capture.Kind, t.Type) {
		text += " in " + units.Count(m.Capture.Operations) + " requests"
	}
	return text
}

// leveled says what the costs of the base were multiplied by.
func (m *mounted) leveled() string {
	times := units.Digits(m.factor)
	switch {
	case m.factor != 0 && m.Kind() == "heap":
		return "base as it is; what it allocated times " + times + ", for the same number of requests"
	case m.factor != 0:
		return "base times " + times + ", for the same number of requests"
	case m.Base.Operations == 0 || m.Capture.Operations == 0:
		return "base as it is: how many requests it was for is not known"
	}
	return ""
}
