package metrics

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// written is a file of these scrapes, several to a record.
func written(t rapid.TB, h Header, scrapes []Scrape, perRecord int) []byte {
	var out bytes.Buffer
	w, err := newWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.header(h); err != nil {
		t.Fatal(err)
	}
	for len(scrapes) > 0 {
		n := min(perRecord, len(scrapes))
		var pile []byte
		for _, s := range scrapes[:n] {
			pile = s.append(pile)
		}
		if err := w.record(pile); err != nil {
			t.Fatal(err)
		}
		scrapes = scrapes[n:]
	}
	return out.Bytes()
}

func readAll(raw []byte) (h Header, all []Scrape, err error) {
	f, err := Read(bytes.NewReader(raw))
	if err != nil {
		return h, nil, err
	}
	for s, err := range f.All() {
		if err != nil {
			return f.Header, all, err
		}
		s.Families = bytes.Clone(s.Families)
		all = append(all, s)
	}
	return f.Header, all, nil
}

// What is written is read, also after it was packed, and any first part of a file gives the first scrapes.
func TestFileOfScrapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scrape := rapid.Custom(func(t *rapid.T) Scrape {
			return Scrape{
				At:  time.UnixMilli(rapid.Int64Range(0, 1<<41).Draw(t, "at")),
				Job: rapid.StringN(0, 5, 9).Draw(t, "job"), Instance: rapid.StringN(0, 5, 9).Draw(t, "instance"),
				Took: time.Duration(rapid.Int64Range(0, 1e9).Draw(t, "took")) * time.Microsecond,
				Up:   rapid.Bool().Draw(t, "up"), Last: rapid.Bool().Draw(t, "last"),
				Families: rapid.SliceOfN(rapid.Byte(), 1, 50).Draw(t, "families"),
			}
		})
		want := rapid.SliceOfN(scrape, 0, 10).Draw(t, "scrapes")
		h := Header{Run: "r1", Variant: "B", Interval: time.Second}
		raw := written(t, h, want, rapid.IntRange(1, 4).Draw(t, "per record"))
		got, all, err := readAll(raw)
		h.Schema = FileSchema
		if err != nil || got != h || !reflect.DeepEqual(all, want) && len(want) > 0 {
			t.Fatalf("read %v, %v, %v, want %v", got, all, err, want)
		}
		var packed bytes.Buffer
		if err := repack(&packed, bytes.NewReader(raw)); err != nil {
			t.Fatal(err)
		}
		if _, again, err := readAll(packed.Bytes()); err != nil || !reflect.DeepEqual(again, all) {
			t.Fatalf("packed it is %v, %v", again, err)
		}
		cut := rapid.IntRange(0, len(raw)).Draw(t, "cut")
		if _, first, _ := readAll(raw[:cut]); len(first) > len(want) ||
			len(first) > 0 && !reflect.DeepEqual(first, want[:len(first)]) {
			t.Fatalf("the first %d bytes are read as %v", cut, first)
		}
	})
}

// No byte of a record can change without being noticed.
func TestFlippedBytesAreNoticed(t *testing.T) {
	want := []Scrape{{At: time.UnixMilli(5), Job: "go", Families: []byte("abc")},
		{At: time.UnixMilli(6), Job: "go", Families: []byte("abd")}}
	raw := written(t, Header{Run: "r1"}, want, 1)
	begin := bytes.IndexByte(raw, '\n') + 1
	for i := begin; i < len(raw); i++ {
		bad := bytes.Clone(raw)
		bad[i] ^= 0x10
		if _, all, err := readAll(bad); !errors.Is(err, errTorn) || len(all) > 1 ||
			len(all) == 1 && !reflect.DeepEqual(all, want[:1]) {
			t.Errorf("byte %d: %v, %v", i, all, err)
		}
	}
	other := strings.Replace(string(raw), FileSchema, "hone.scrapes/9", 1)
	if _, _, err := readAll([]byte(other)); err == nil ||
		!strings.Contains(err.Error(), `"hone.scrapes/9", and this hone reads "hone.scrapes/1"`) {
		t.Errorf("another schema: %v", err)
	}
}

func FuzzFileOfScrapes(f *testing.F) {
	f.Add(written(f, Header{Run: "r1"}, []Scrape{{At: time.UnixMilli(5), Job: "go", Instance: "hone", Up: true,
		Families: []byte{2, 10, 0}}, {Job: "x", Last: true}}, 1))
	f.Add([]byte("{\"schema\":\"hone.scrapes/1\"}\n\xff\xff\xff\xff0000"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		_, all, _ := readAll(raw)
		for _, s := range all {
			_, _ = s.Decode()
		}
	})
}
