package promapi

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/prometheus/prometheus/promql"
)

// What an engine refuses as too large before it evaluates is an error of execution, 422,
// as in Prometheus; one that had no time left is a timeout. All else is a wrong query.
func TestRefusedBeforeEvaluation(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{promql.ErrTooManySamples("estimate"), http.StatusUnprocessableEntity},
		{context.DeadlineExceeded, http.StatusServiceUnavailable},
		{errors.New("parse error"), http.StatusBadRequest},
	} {
		if got := kindOf(unprepared(c.err)).status; got != c.want {
			t.Errorf("%v: status %d, want %d", c.err, got, c.want)
		}
	}
}

// An answer that would be too long is refused before it is written.
func TestLongAnswers(t *testing.T) {
	for points, refused := range map[int]bool{1000: false, maxAnswer / 16: true} {
		m := promql.Matrix{{Floats: make([]promql.FPoint, points)}}
		if err := fits(m); (err != nil) != refused {
			t.Errorf("%d points: %v, refused %v", points, err, refused)
		}
	}
}
