package holders

import (
	"bytes"
	"io"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof/heapdump/dumptest"
)

// two is a dump in which a variable holds a list of two objects, and a goroutine holds the second, too.
func two() dumptest.Dump {
	d := dumptest.New("go1.26.0").Object(0xc000, []uint64{0xc010, 1}, 0).Object(0xc010, []uint64{0, 2},
		0).Object(0xd000, make([]uint64, 40))
	return d.Goroutine(0xd000, 0x7f00, "main.work", []uint64{0xc010, 5}, 0).Data(0x8000, []uint64{0xc000}, 0).End()
}

// What two roots hold belongs to both. The record of a goroutine is the runtime's.
func TestWithoutTheProgram(t *testing.T) {
	r, err := Read(t.Context(), bytes.NewReader(two()), int64(len(two())), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := r.paths
	got := map[string]uint64{}
	for i := range p.all {
		if at := &p.all[i]; at.parent == 0 && i > 0 {
			got[p.label(uint32(i)).String()] = at.cum
		}
	}
	want := map[string]uint64{"a variable without a name": 16, "a variable without a name + goroutine of main.work": 16,
		"goroutine of main.work": 0, keptRecords: 320}
	for name, bytes := range want {
		if got[name] != bytes {
			t.Errorf("%s holds %d bytes, want %d; all: %v", name, got[name], bytes, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(two()))
	f.Add([]byte(dumptest.New("go1.21.0").Object(0xc000, []uint64{0xc008}, 0).Numbers(5, 0x7000, 0,
		0).Words([]uint64{0x7000}).Numbers(1, 2, 3).Text("f").Pointers(0).End()))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := Read(t.Context(), bytes.NewReader(b), int64(len(b)), nil)
		switch {
		case err == nil:
			if err := r.WriteText(io.Discard, 0); err != nil {
				t.Error(err)
			}
			if err := r.Profile().Write(io.Discard); err != nil {
				t.Error(err)
			}
		case fail.KindOf(err) != fail.BadInput:
			t.Errorf("%v is not a fault of the input", err)
		}
	})
}
