package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/page"
)

// maker makes the page of a request.
type maker func(l *page.Library, r *http.Request) (any, error)

// addAnswers adds the addresses of the API.
func (s *Server) addAnswers(mux *http.ServeMux) {
	named := func(address string, of maker) { // by a path: what is not there is 404
		mux.Handle(apiPath+address, s.answer(http.StatusNotFound, of))
	}
	named("runs/{id}", func(l *page.Library, r *http.Request) (any, error) {
		return l.Run(r.PathValue("id"))
	})
	named("runs/{id}/profiles/{kind}", func(l *page.Library, r *http.Request) (any, error) {
		return l.Profile(r.PathValue("id"), r.PathValue("kind"), r.URL.Query().Get("cohort"))
	})
	named("runs/{id}/source/{kind}", func(l *page.Library, r *http.Request) (any, error) {
		return l.Source(r.PathValue("id"), r.PathValue("kind"), r.URL.Query().Get("file"))
	})
	named("comparisons/{id}", func(l *page.Library, r *http.Request) (any, error) {
		return l.Comparison(r.PathValue("id"))
	})
	named("stored/{a}/{b}", func(l *page.Library, r *http.Request) (any, error) {
		return l.Pair(r.PathValue("a"), r.PathValue("b"))
	})
	mux.Handle(apiPath+"history", s.answer(http.StatusBadRequest, func(l *page.Library, r *http.Request) (any, error) {
		q, err := historyQuery(r.URL.Query(), time.Now())
		if err == nil {
			err = history.CheckFilter(l.Stored.Ledger, q.Filter)
		}
		if err != nil {
			return nil, err
		}
		return l.History(q)
	}))
	s.addSeries(mux)
	mux.HandleFunc(apiPath+"artefacts/{sha256}", s.artefact)
	mux.HandleFunc(apiPath+"live", s.live)
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, r, http.StatusNotFound, "The API has no such address.", "docs/api.md lists them")
	})
}

// answer makes a page of the ledger and sends it as JSON; badInput is the status of errors of that kind.
func (s *Server) answer(badInput int, of maker) http.Handler {
	return s.reply(badInput, func(r *http.Request) (made any, err error) {
		err = s.reading(func(l *page.Library) error {
			made, err = of(l, r)
			return err
		})
		return made, err
	})
}

// reply makes a page in its turn and sends it as JSON.
func (s *Server) reply(badInput int, of func(*http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var text []byte
		err := s.inTurn(r, func() error {
			made, err := of(r)
			if err == nil {
				text, err = json.Marshal(made)
			}
			return err
		})
		if err != nil {
			refuseError(w, r, err, badInput)
			return
		}
		send(w, r, http.StatusOK, "application/json", text)
	})
}

// inTurn makes what a request asks for: a few requests at a time do so, the others wait. Answers are sent afterwards, so
// that a slow reader holds up no other.
func (s *Server) inTurn(r *http.Request, make func() error) error {
	select {
	case s.busy <- struct{}{}:
		defer func() { <-s.busy }()
		return make()
	case <-r.Context().Done():
		return r.Context().Err()
	}
}

// reading opens the ledger for one request: it sees what was stored before.
func (s *Server) reading(make func(*page.Library) error) error {
	l, err := ledger.OpenReader(s.Ledger)
	if err != nil {
		return fail.New(fail.Storage, "%w", err)
	}
	defer l.Close()
	return make(s.Library(l))
}

// artefact sends the bytes of an artefact, always as a file to keep.
func (s *Server) artefact(w http.ResponseWriter, r *http.Request) {
	var a ledger.Artefact
	var data []byte
	err := s.inTurn(r, func() error {
		return s.reading(func(l *page.Library) (err error) {
			if a, err = l.Stored.Ledger.ArtefactWith(r.PathValue("sha256")); err == nil {
				data, err = l.Stored.Ledger.ReadArtefact(a)
			}
			return err
		})
	})
	if err != nil {
		refuseError(w, r, err, http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", fileName(a)))
	h.Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // who went away needs no answer
}

// fileName is the artefact's name as that of a file: an imported one may be anything.
func fileName(a ledger.Artefact) string {
	plain := func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}
	name := strings.TrimLeft(strings.Map(plain, path.Base(a.Name)), ".")
	if name == "" {
		name = a.SHA256
	}
	return name
}

// historyParameters are those of the address history: the flags of hone history.
var historyParameters = []string{"measure", "package", "label", "commit", "target", "status", "since", "until",
	"number"}

// usualNumber is how many runs of a series are shown unless another number is asked for.
const usualNumber = 50

// historyQuery reads the parameters. The error is of kind fail.BadInput.
func historyQuery(values map[string][]string, now time.Time) (q history.Query, err error) {
	q.Number = usualNumber
	for name, all := range values {
		if !slices.Contains(historyParameters, name) {
			return q, fail.New(fail.BadInput, "there is no parameter %q", name).WithHint("the parameters are %s",
				strings.Join(historyParameters, ", "))
		}
		if len(all) > 1 && name != "status" {
			return q, fail.New(fail.BadInput, "the parameter %s is there %d times", name,
				len(all)).WithHint("give it once")
		}
	}
	one := func(name string) string {
		if len(values[name]) == 0 {
			return ""
		}
		return values[name][0]
	}
	q.Measure = one("measure")
	q.Filter = ledger.RunFilter{Package: one("package"), Label: one("label"), Commit: one("commit"),
		Target: one("target")}
	var states []string
	for _, list := range values["status"] {
		states = append(states, strings.FieldsFunc(list, func(r rune) bool { return r == ',' })...)
	}
	if q.Filter.Status, err = history.ParseStatus(states); err != nil {
		return q, err
	}
	if q.Filter.Since, q.Filter.Until, err = history.ParsePeriod(one("since"), one("until"), now); err != nil {
		return q, err
	}
	if text := one("number"); text != "" {
		if q.Number, err = strconv.Atoi(text); err != nil || q.Number < 0 {
			return q, fail.New(fail.BadInput, "number %q is not a number of runs",
				text).WithHint("number=50, or number=0 for all")
		}
	}
	return q, nil
}
