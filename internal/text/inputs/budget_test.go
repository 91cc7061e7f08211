package inputs

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
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
	if len(all) != 3 || err == nil || err.Error() != "NAME: the note has more than 8 bytes" ||
		fail.KindOf(err) != fail.BadInput {
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
	if err := m.Spend(1); err == nil || err.Error() != "the note has more than 1,000 values" ||
		fail.HintOf(err) != "write less" {
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
			"late": {func() { time.Sleep(4 * time.Second) }, fail.BadInput,
				"NAME: the note takes longer than 3 seconds"},
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

// A text of JSON is counted before it is decoded; what is in quotes counts nothing.
func TestJSONIsCounted(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":[1,2,{"b":"[[[[{,,,,"}]}`: "",
		`["\"[[[[[[[[\\",2]`:            "",
		`[[[[[1]]]]]`:                   "the note has more than 4 levels",
		`[{},{},{},{},{},{},{},{},{}]`:  "the note has more than 9 values",
		"\"" + strings.Repeat("[", 99):  "",
		strings.Repeat("]", 99):         "",
		"":                              "",
	} {
		m := Budget{Bytes: note, Values: Bound{Most: 9, Unit: Values}, Depth: 4}.Start(t.Context(), "")
		if err := m.JSON([]byte(text)); want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// The count is never smaller than what encoding/json makes of a text, and the levels are those that it sees.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{`{"a":[1,"\"",{}]}`, `[[],[{}],"a\\"]`, `"x`, `]]]`, `{"a":{"b":[null,true]}}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var v any
		if json.Unmarshal(text, &v) != nil {
			return
		}
		values, levels := sizeOf(v)
		m := Budget{Bytes: note}.Start(t.Context(), "")
		if err := m.JSON(text); err != nil || m.values+1 < values || m.depth != 0 {
			t.Errorf("%q: %d values counted of %d, depth %d at the end: %v", text, m.values, values, m.depth, err)
		}
		if levels > 0 {
			small := Budget{Bytes: note, Depth: levels - 1}.Start(t.Context(), "")
			if err := small.JSON(text); levels > 1 && err == nil {
				t.Errorf("%q: %d levels are not seen", text, levels)
			}
		}
	})
}

// sizeOf is how many values there are, and how many levels of lists and objects.
func sizeOf(v any) (values, levels int64) {
	var parts []any
	switch v := v.(type) {
	case []any:
		parts = v
	case map[string]any:
		parts = slices.Collect(maps.Values(v))
	default:
		return 1, 0
	}
	for _, part := range parts {
		n, deep := sizeOf(part)
		values, levels = values+n, max(levels, deep)
	}
	return values + 1, levels + 1
}
