package library

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/text/fail"
)

func TestQueriesThatCannotBe(t *testing.T) {
	v, err := Open(metrics.In(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	ctx, e := context.Background(), NewEngine(Usual)
	for expr, want := range map[string]string{
		"rate(a)":         "1:6", // where, and what
		"a b":             "1:3",
		"nosuch(a)":       "nosuch",
		"rate(a[5m:":      "1:",
		`{__name__=~"["}`: "regexp",
	} {
		if _, err := At(ctx, e, v, expr, t0); fail.ExitCode(err) != int(fail.BadInput) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", expr, err, want)
		}
	}
	if _, err := Over(ctx, e, v, "a", t0, t0.Add(time.Hour),
		time.Millisecond); fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(err.Error(), "11000") {
		t.Errorf("too many steps: %v", err)
	}
	if _, err := Over(ctx, e, v, "a", t0, t0.Add(time.Hour), 0); fail.ExitCode(err) != int(fail.BadInput) {
		t.Errorf("no step: %v", err)
	}
	a, err := Over(ctx, e, v, "vector(2) + 1", t0, t0.Add(2*time.Second), time.Second)
	if err != nil || len(a.Series) != 1 || len(a.Series[0].Points) != 3 || a.Series[0].Points[2].Value != 3 {
		t.Errorf("answer %+v, %v", a, err)
	}
}
