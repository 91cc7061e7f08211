package inputs

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

var note = Bound{"note", "tests", 8, Bytes, "write less"}

// All readers of one meter share its bytes, and what is unpacked counts.
func TestABudgetBoundsWhatIsUnpacked(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(make([]byte, 1<<20)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	m := Budget{Bytes: note}.Start(t.Context(), "NAME")
	if all, err := io.ReadAll(m.Reader(strings.NewReader("12345"))); err != nil || string(all) != "12345" {
		t.Fatalf("%q, %v", all, err)
	}
	from, err := gzip.NewReader(&packed)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(m.Reader(from))
	if len(all) != 3 || err == nil || err.Error() != "NAME: the note has more than 8 bytes" || fail.KindOf(err) != fail.BadInput {
		t.Errorf("%d bytes, %v", len(all), err)
	}
}

// Values and levels are counted, and the error has their unit and the next step.
func TestABudgetBoundsValuesAndDepth(t *testing.T) {
	m := Budget{Bytes: note, Values: Bound{Most: 1000, Unit: Values}, Depth: 2}.Start(t.Context(), "")
	for range 1000 {
		if err := m.Spend(1); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Spend(1); err == nil || err.Error() != "the note has more than 1,000 values" || fail.HintOf(err) != "write less" {
		t.Errorf("%v", err)
	}
	for range 3 { // Leave gives the level back
		if err := errors.Join(m.Enter(), m.Enter()); err != nil {
			t.Fatal(err)
		}
		if err := m.Enter(); err == nil || err.Error() != "the note has more than 2 levels" {
			t.Errorf("%v", err)
		}
		m.Leave()
		m.Leave()
		m.Leave()
	}
}

// Ctrl-C and the end of the time stop a reader that never ends, and a loop that reads nothing.
func TestABudgetEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := Budget{Bytes: Bound{"note", "tests", 1 << 40, Bytes, "write less"}, Within: 3 * time.Second}
		ctx, stop := context.WithCancel(t.Context())
		for what, c := range map[string]struct {
			during func()
			kind   fail.Kind
			want   string
		}{
			"late":    {func() { time.Sleep(4 * time.Second) }, fail.BadInput, "NAME: the note takes longer than 3 seconds"},
			"stopped": {stop, fail.Interrupted, "context canceled"},
		} {
			meter := b.Start(t.Context(), "NAME")
			if what == "stopped" {
				meter = b.Start(ctx, "NAME")
			}
			endless := meter.Reader(&endless{})
			if _, err := endless.Read(make([]byte, 100)); err != nil {
				t.Fatal(err)
			}
			c.during()
			_, read := endless.Read(make([]byte, 100))
			var loop error
			for loop == nil {
				loop = meter.Spend(1)
			}
			for _, err := range []error{read, loop} {
				if err.Error() != c.want || fail.KindOf(err) != c.kind {
					t.Errorf("%s: %v, kind %d", what, err, fail.KindOf(err))
				}
			}
		}
	})
}
