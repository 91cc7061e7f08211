package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"time"
)

// someRecord is a record with a part of each kind.
func someRecord() *Record {
	at := time.Unix(1_700_000_000, 0).UTC()
	const sum = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	return &Record{
		Schema: recordSchema, Seq: 1, Doc: `{"a": 1}`,
		Run:       &Run{ID: "1a2b3c4d", Label: "x", Status: Complete, Started: at, Finished: at.Add(time.Second)},
		Slices:    []Slice{{Index: 0}},
		Measures:  []MeasureValue{{Name: "cpu", Value: 1}},
		Artefacts: []Artefact{{Run: "1a2b3c4d", Kind: "profile", Name: "cpu", SHA256: sum, Size: 1}},
	}
}

// A record that is accepted is one that this package would have written: encoded and read
// again it is the same.
func FuzzRecord(f *testing.F) {
	text, _, err := someRecord().encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"schema": "hone.record/1", "seq": 1, "comparison": {"ID": "1a2b3c4d"}}`))
	f.Add([]byte(`{"schema": "hone.record/2"} {}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := decodeRecord(text)
		if err != nil {
			return
		}
		once, _, err := r.encode()
		if err != nil {
			t.Fatalf("an accepted record cannot be written: %v", err)
		}
		again, err := decodeRecord(once)
		if err != nil {
			t.Fatalf("what was written is refused: %v\n%s", err, once)
		}
		if twice, _, err := again.encode(); err != nil || !bytes.Equal(once, twice) {
			t.Errorf("%s\nis read as\n%s, %v", once, twice, err)
		}
	})
}

// A record's file with any content is refused, unless its SHA-256 is the one in its name,
// and unpacks no more than it may.
func FuzzRecordFile(f *testing.F) {
	text, sum, err := someRecord().encode()
	if err != nil {
		f.Fatal(err)
	}
	data, err := pack(text)
	if err != nil {
		f.Fatal(err)
	}
	name := RecordName("1a2b3c4d", sum)
	f.Add(name, data)
	f.Add(name, data[:len(data)/2])
	f.Add("1a2b3c4d-.zst", []byte{})
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		const most = 1 << 20
		r, _, err := DecodeRecord(name, data, most)
		if err != nil {
			return
		}
		plain, err := unpack(data, most)
		if err != nil || RecordName(r.Ref().ID, sumOf(plain)) != name {
			t.Errorf("%q was accepted, and holds %s, %v", name, plain, err)
		}
	})
}

// The file of the baselines holds what it says, or is damaged.
func FuzzBaselines(f *testing.F) {
	inner := []byte(`[{"name":"main","run":"1a2b3c4d","at":"2026-11-22T00:00:00Z"}]`)
	var all []Baseline
	if err := json.Unmarshal(inner, &all); err != nil {
		f.Fatal(err)
	}
	inner, err := json.Marshal(all)
	if err != nil {
		f.Fatal(err)
	}
	text, err := json.Marshal(baselineFile{Schema: baselinesSchema, SHA256: sumOf(inner), Baselines: all})
	if err != nil {
		f.Fatal(err)
	}
	if got, err := parseBaselines(text); err != nil || !equalBaselines(got, all) {
		f.Fatalf("%s is read as %+v, %v", text, got, err)
	}
	f.Add(text)
	f.Add([]byte(`{"schema":"hone.baselines/1","baselines":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := parseBaselines(text)
		if err != nil {
			if !errors.Is(err, errDamaged) {
				t.Errorf("%v does not count as damage", err)
			}
			return
		}
		inner, err := json.Marshal(got)
		if err != nil || !bytes.Contains(text, []byte(sumOf(inner))) {
			t.Errorf("%s is accepted without its SHA-256", text)
		}
	})
}

// A line that is read as a sum is the line that this sum is written as.
func FuzzSum(f *testing.F) {
	f.Add(fileSum{schema: 3, size: 4096, crc: 0xdeadbeef, made: 1}.text())
	f.Add("hone.sum/1 schema 3 size -1 crc32c 0 made 0 check 0\n")
	f.Fuzz(func(t *testing.T, text string) {
		if s, ok := parseSum(text); ok && s.text() != text {
			t.Errorf("%q is read as %+v", text, s)
		}
	})
}
