package ledger

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/packed"
)

// A writer dies at any byte of its slices: what was synced before is there, a batch is there whole or not at
// all, and the next writer ends the run with that.
func TestTornSlices(t *testing.T) {
	from := t.TempDir()
	l := mustOpen(t, from)
	d, err := l.BeginRun(Run{Label: "torn"})
	if err != nil {
		t.Fatal(err)
	}
	var ends []int // of the batches in the file
	path := filepath.Join(from, slicesName(d.ID()))
	for batch := range 3 {
		if err := d.AddSlices([]packed.Slice{{Place: packed.Place{Index: 2 * batch},
			Latencies: packed.Latencies{Service: "latency"}},
			{Place: packed.Place{Index: 2*batch + 1}}}); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, int(info.Size()))
	}
	orphan(t, l, d)
	whole := readFiles(t, from)
	delete(whole, lockName)
	name, data := slicesName(d.ID()), whole[slicesName(d.ID())]
	dir := t.TempDir()
	for size := range len(data) + 1 {
		// The last one is a whole line, at another place than its own.
		for _, garbage := range []string{"", "\x00\x00\n", data[:10], data[:ends[0]]} {
			if size == 0 && len(garbage) == ends[0] {
				continue
			}
			whole[name] = data[:size] + garbage
			putFiles(t, dir, whole)
			want := 0
			for _, end := range ends {
				if size >= end {
					want += 2
				}
			}
			r := mustRead(t, dir)
			s, err := r.Slices(d.ID())
			if run, _ := r.Run(d.ID()); err != nil || len(s) != want || run.Status != Crashed {
				t.Fatalf("%d of %d bytes: %d slices, want %d, %v", size, len(data), len(s), want, err)
			}
			r.Close()
			if size%20 != 0 {
				continue
			}
			next := mustOpen(t, dir)
			s, err = next.Slices(d.ID())
			report, verified := next.Verify(t.Context())
			if err != nil || len(s) != want || verified != nil || report.Err() != nil || report.Slices != want {
				t.Fatalf("%d of %d bytes, after the next writer: %d slices, want %d, %v, %v", size, len(data), len(s),
					want, err, report.Err())
			}
			next.Close()
		}
	}
}

// No slice takes more as JSON than HoldSlices keeps room for.
func TestSliceBytes(t *testing.T) {
	var s packed.Slice
	largest(reflect.ValueOf(&s).Elem())
	s = s.Headline()
	s.Service, s.Response, s.Age = "", "", ""
	text, err := json.Marshal(s)
	if err != nil || len(text) > sliceBytes || len(text) < sliceBytes/2 {
		t.Errorf("%d bytes, and sliceBytes is %d: %v", len(text), sliceBytes, err)
	}
}

func largest(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				largest(v.Field(i))
			}
		}
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			largest(v.Index(i))
		}
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		largest(v.Elem())
	case v.CanInt():
		v.SetInt(math.MinInt64)
	case v.CanUint():
		v.SetUint(math.MaxUint64)
	case v.CanFloat():
		v.SetFloat(-math.SmallestNonzeroFloat64 * 1.2345678901234567e300)
	}
}

// What the machine did not tell, or told as no number, is nil when it is read again.
func TestConditionsThatAreNoNumbers(t *testing.T) {
	l := mustOpen(t, t.TempDir())
	d, err := l.BeginRun(Run{})
	if err != nil {
		t.Fatal(err)
	}
	nan, share, busy := math.NaN(), 0.5, time.Second
	if err := d.AddSlices([]packed.Slice{{Conditions: packed.Conditions{Steal: &nan, Load1: &share, Busy: &busy}}}); err != nil {
		t.Fatal(err)
	}
	s, err := l.Slices(d.ID())
	if err != nil || s[0].Conditions.Steal != nil || *s[0].Conditions.Load1 != share || *s[0].Conditions.Busy != busy ||
		!math.IsNaN(nan) {
		t.Errorf("%+v, %v", s, err)
	}
}
