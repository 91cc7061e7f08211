package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"reflect"
	"testing"
	"time"
)

// someRecord is a record with a part of each kind.
func someRecord() *Record {
	at := time.Unix(1_700_000_000, 0).UTC()
	const sum = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	return &Record{
		Seq: 1, Doc: `{"a": 1}`,
		Run:       &Run{ID: "1a2b3c4d", Label: "x", Status: Complete, Started: at, Finished: at.Add(time.Second)},
		Slices:    SliceFile{1, 17, sum},
		Measures:  []MeasureValue{{Name: "cpu", Value: 1}},
		Artefacts: []Artefact{{Run: "1a2b3c4d", Kind: "profile", Name: "cpu", SHA256: sum, Size: 1}},
	}
}

// A record that is accepted is one that this package would have written: encoded and read
// again it is the same. The text is sealed here, so that the fuzzer gets behind the checksum.
func FuzzRecord(f *testing.F) {
	data, err := someRecord().encode()
	if err != nil {
		f.Fatal(err)
	}
	text, err := unseal(recordSchema, data)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"seq": 1, "comparison": {"ID": "1a2b3c4d"}}`))
	f.Add([]byte(`{"seq": 1, "run": {"id": "1a2b3c4d", "status": "running", "started": "2026-11-22T00:00:00Z"}, "writer": {"pid": 1, "born": ""}}`))
	f.Add([]byte(`{"seq": 1} {}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := decodeRecord(seal(recordSchema, text))
		if err != nil {
			return
		}
		once, err := r.encode()
		if err != nil {
			t.Fatalf("an accepted record cannot be written: %v", err)
		}
		again, err := decodeRecord(once)
		if err != nil {
			t.Fatalf("what was written is refused: %v\n%s", err, once)
		}
		if twice, err := again.encode(); err != nil || !bytes.Equal(once, twice) {
			t.Errorf("%s\nis read as\n%s, %v", once, twice, err)
		}
	})
}

// A packed record with any content is refused, unless its SHA-256 is the one in its name.
func FuzzDecodeRecord(f *testing.F) {
	name, data, err := someRecord().Pack()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(name, data)
	f.Add(name, data[:len(data)/2])
	f.Add("1a2b3c4d-.json", []byte{})
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		r, err := DecodeRecord(name, data)
		if err == nil && r.Ref().ID+"-"+sumOf(data)+recordSuffix != name {
			t.Errorf("%q was accepted, and holds %s", name, data)
		}
	})
}

// What is sealed is read back to the byte, and nothing else is.
func FuzzSeal(f *testing.F) {
	f.Add(seal(baselinesSchema, []byte("[]")))
	f.Add([]byte(baselinesSchema + " 0\n[]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		content, err := unseal(baselinesSchema, text)
		var other *otherSchema
		switch {
		case err == nil && !bytes.Equal(seal(baselinesSchema, content), text):
			t.Errorf("%q is accepted", text)
		case err != nil && !errors.Is(err, errDamaged) && !errors.As(err, &other):
			t.Errorf("%v does not count as damage", err)
		}
	})
}

// The file of the baselines is read, or is damaged.
func FuzzBaselines(f *testing.F) {
	f.Add([]byte(`[{"name":"main","run":"1a2b3c4d","at":"2026-11-22T00:00:00Z"}]`))
	f.Add([]byte(`null`))
	f.Add([]byte(`[`))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _ = decodeBaselines(seal(baselinesSchema, text))
		if _, err := decodeBaselines(text); err == nil {
			t.Errorf("%q is accepted without its SHA-256", text)
		}
	})
}

// An index that is accepted is packed again as one that says the same.
func FuzzIndex(f *testing.F) {
	r, c := someRecord(), &Record{Seq: 2, Comparison: &Comparison{ID: "1a2b3c4e", Status: Complete, Word: "same",
		Origin: &Origin{Host: "ci"}}}
	r.Doc = ""
	data := encodeIndex([]*Record{r, c})
	if got, err := decodeIndex(data); err != nil || !reflect.DeepEqual(got, []*Record{r, c}) {
		f.Fatalf("%+v, %v", got, err)
	}
	f.Add(data)
	f.Add([]byte{0, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := decodeIndex(data)
		if err != nil {
			return
		}
		again, err := decodeIndex(encodeIndex(all))
		if err != nil || fmt.Sprintf("%+v", again) == "" || len(again) != len(all) {
			t.Errorf("%+v is read as %+v, %v", all, again, err)
		}
	})
}

// The slices of any file are those of its whole lines.
func FuzzSlices(f *testing.F) {
	const id = "1a2b3c4d"
	text := []byte(`[{"index":0,"latency":"AAAA"},{"index":1}]`)
	line := fmt.Appendf(nil, "%08x %s\n", crc32.Update(crc32.Checksum([]byte(id), castagnoli), castagnoli, text), text)
	f.Add(line)
	f.Add(line[:len(line)-1])
	f.Add(append(line, line...))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, size, err := parseSlices(id, data)
		if size > len(data) || (err == nil) != (size == len(data)) {
			t.Fatalf("%d slices, %d of %d bytes: %v", len(all), size, len(data), err)
		}
		if again, whole, err := parseSlices(id, data[:size]); err != nil || whole != size || len(again) != len(all) {
			t.Errorf("what was whole is read otherwise: %d slices, %d bytes, %v", len(again), whole, err)
		}
	})
}
