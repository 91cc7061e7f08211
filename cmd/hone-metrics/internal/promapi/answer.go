package promapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/util/annotations"
)

// kind is Prometheus' class of an error, with the status that answers it
// (https://prometheus.io/docs/prometheus/latest/querying/api/#format-overview).
type kind struct {
	name   string
	status int
}

var (
	badData   = kind{"bad_data", http.StatusBadRequest}
	execution = kind{"execution", http.StatusUnprocessableEntity}
	timedOut  = kind{"timeout", http.StatusServiceUnavailable}
	canceled  = kind{"canceled", http.StatusServiceUnavailable}
	internal  = kind{"internal", http.StatusInternalServerError}
	notFound  = kind{"not_found", http.StatusNotFound}
	forbidden = kind{"forbidden", http.StatusForbidden} // hone's own
)

// fault is an error whose kind is known where it happened.
type fault struct {
	kind
	err error
}

func as(k kind, err error) error { return &fault{k, err} }

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

// kindOf classes an error of the engine or of the store.
func kindOf(err error) kind {
	if f, ok := errors.AsType[*fault](err); ok {
		return f.kind
	}
	if _, ok := errors.AsType[promql.ErrQueryCanceled](err); ok || errors.Is(err, context.Canceled) {
		return canceled
	}
	if _, ok := errors.AsType[promql.ErrQueryTimeout](err); ok || errors.Is(err, context.DeadlineExceeded) {
		return timedOut
	}
	if _, ok := errors.AsType[promql.ErrStorage](err); ok {
		return internal
	}
	return execution
}

// answer is what an endpoint found.
type answer struct {
	data  []byte // JSON; nil is an answer without content
	notes annotations.Annotations
	query string // the expression that the notes' positions are in, or ""
}

// maxNotes is how many warnings, and how many infos, an answer shows, as in Prometheus.
const maxNotes = 10

// write writes the envelope: {"status":"success","data":...,"warnings":[...],"infos":[...]}.
func (a answer) write(w http.ResponseWriter) {
	if a.data == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	warnings, infos := a.notes.AsStrings(a.query, maxNotes, maxNotes)
	tail := appendNotes(nil, "warnings", warnings)
	tail = append(appendNotes(tail, "infos", infos), '}')
	for _, part := range [][]byte{[]byte(`{"status":"success","data":`), a.data, tail} {
		if _, err := w.Write(part); err != nil {
			return // who went away needs no answer
		}
	}
}

// appendNotes sorts the notes: Prometheus' order is that of a map.
func appendNotes(b []byte, name string, notes []string) []byte {
	if len(notes) == 0 {
		return b
	}
	slices.Sort(notes)
	b = append(b, ',', '"')
	b = append(b, name...)
	return appendStrings(append(b, '"', ':'), notes)
}

// refuse writes the envelope of an error.
func refuse(w http.ResponseWriter, status int, k kind, err error) {
	body, _ := json.Marshal(struct { // strings have no fault to report
		Status    string `json:"status"`
		ErrorType string `json:"errorType"`
		Error     string `json:"error"`
	}{"error", k.name, err.Error()})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // who went away needs no answer
}
