package recording

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

func TestARecordingComesBackAsItWas(t *testing.T) {
	want := openRecording(t, 1)
	want.Final.Doubts = []load.Doubt{{Name: load.DoubtWrong, Text: "some", Fatal: true}}
	want.Final.Counts.Causes[load.Timeout] = 3
	file := text(t, want)
	got := read(t, file)
	if again := text(t, got); again != file {
		t.Errorf("written, read and written again it differs:\n%.400s\n%.400s", file, again)
	}
	if got.Truncated {
		t.Error("a whole recording is called truncated")
	}
	a, b := want.Tally(), got.Tally()
	if a.Counts != b.Counts || !a.Response.Equals(b.Response) || !a.Lag.Equals(b.Lag) || !a.Service.Equals(b.Service) {
		t.Errorf("tally %+v, want %+v", b.Counts, a.Counts)
	}
	if !got.Final.Connect.Equals(want.Final.Connect) || got.Final.Pauses != want.Final.Pauses {
		t.Error("the final account lost something")
	}
	if got.Final.Counts.Causes[load.Timeout] != 3 {
		t.Errorf("causes %v", got.Final.Counts.Causes)
	}
}

// A crash may cut the file anywhere. Whatever was written as whole lines is read.
func TestAFileCutAnywhereIsReadUpToItsLastWholeLine(t *testing.T) {
	file := text(t, small(t))
	header := strings.IndexByte(file, '\n')
	step := max(1, len(file)/200)
	for cut := header + 1; cut < len(file); cut += step {
		r, err := Read(strings.NewReader(file[:cut]), "cut")
		if err != nil {
			t.Fatalf("cut at %d of %d: %v", cut, len(file), err)
		}
		lines := strings.Count(file[:cut], "\n") - 1
		if cut == len(file)-1 { // all but the last newline: nothing is lost
			lines = 4
		} else if !r.Truncated {
			t.Fatalf("cut at %d of %d: not called truncated", cut, len(file))
		}
		if len(r.Slices) != lines && len(r.Slices) != lines+1 { // +1: cut just before a newline
			t.Fatalf("cut at %d: %d slices of %d lines", cut, len(r.Slices), lines)
		}
		if err := r.Final.Counts.Balance(); err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
	if _, err := Read(strings.NewReader(file[:header/2]), "cut"); fail.ExitCode(err) != int(fail.BadInput) {
		t.Errorf("half a header: %v", err)
	}
}

func TestHostileFilesAreRefusedWithTheLine(t *testing.T) {
	file := text(t, small(t))
	lines := strings.SplitAfter(file, "\n")
	header, body, final := lines[0], strings.Join(lines[1:5], ""), lines[5]
	swap := func(s, old, with string) string {
		if !strings.Contains(s, old) {
			t.Fatalf("%q is not in %.200s", old, s)
		}
		return strings.Replace(s, old, with, 1)
	}
	service := string(read(t, file).Slices[0].Service)
	for _, c := range []struct{ name, file, want string }{
		{"empty", "", "test.hone:0: the file is empty"},
		{"something else", "PK\x03\x04\n", "test.hone:1: not a recording"},
		{"a later schema", swap(header, `"schema":2`, `"schema":7,"colour":"red"`) + body + final,
			"test.hone:1: recording of schema 7, written by hone v1.2.3; this hone reads schema 2"},
		{"an older schema", swap(header, `"schema":2`, `"schema":1`) + body + final,
			"test.hone:1: recording of schema 1, written by hone v1.2.3; this hone reads schema 2"},
		{"no schema", swap(header, `"schema":2,`, "") + body, "test.hone:1: read header: no schema version"},
		{"an unknown key", swap(header, `"target"`, `"colour":1,"target"`),
			"test.hone:1: read header: json: unknown field"},
		{"a plan that cannot be", swap(header, `"connections":10`, `"connections":0`), "connections is 0"},
		{"two recordings in one", file + file, "test.hone:7: a line after the final account"},
		{"two headers", header + header + body, "test.hone:2: a second header"},
		{"a line of another kind", header + "{\"tables\":{}}\n" + body, "test.hone:2: want a line that begins with"},
		{"rubbish in the middle", header + "{\"slice\":{\n" + body, "test.hone:2: read slice: unexpected EOF"},
		{"null", header + "{\"slice\":null}\n", "test.hone:2: read slice: it is null"},
		{"null at the end", header + "{\"final\":null}\n", "test.hone:2: read final account: it is null"},
		{"negative time", header + swap(body, `"duration_ns":1000000000`, `"duration_ns":-1`), "duration_ns is -1"},
		{"back in time", header + swap(lines[1], `"offset_ns":0`, `"offset_ns":9000000000`) + lines[2],
			"test.hone:3: read slice: offset 1s is before"},
		{"a stage too many", header + swap(body, `"offset_ns":0,`, `"offset_ns":0,"stage":2,`),
			"stage 2, the schedule has 2"},
		{"targets without names", swap(header, `"targets":["GET /hello","GET /bye"]`, `"targets":["GET /hello"]`) +
			body + final, "it has 2 targets, the header 1"},
		{"a strange status code", header + swap(body, `"codes":{"200"`, `"codes":{"99999"`), "status code 99999"},
		{"an unknown cause", header + body + swap(final, `"counts":{`,
			`"counts":{"causes":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,5],`), "cause number 19"},
		{"no base64", header + swap(body, service, "HISTFAAA!!"), "service: decode histogram"},
		{"too short", header + swap(body, service, "AAAA"), "service: decode histogram: too short"},
		{"histogram of another range", header + swap(body, service, claiming(t, 1, 1e9, 2)), "differs from that"},
		{"histogram of a huge range", header + swap(body, service, claiming(t, 1, math.MaxInt64, 5)), "with 5 digits"},
		{"histogram with a negative range", header + swap(body, service, claiming(t, 1, -5, 3)),
			"histogram from 1 to -5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(c.file), "test.hone")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want %q", err, c.want)
			}
			if fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" {
				t.Errorf("exit code %d and hint %q", fail.ExitCode(err), fail.HintOf(err))
			}
		})
	}
}

// A line without an end is refused after its limit, not after all of memory.
func TestAnEndlessLineIsRefused(t *testing.T) {
	header, _, _ := strings.Cut(text(t, small(t)), "\n")
	in := &endless{head: strings.NewReader(header + "\n{\"slice\":{\"service\":\"")}
	if _, err := Read(in, "endless"); err == nil || !strings.Contains(err.Error(), "endless:2: line of more than") {
		t.Errorf("error %v", err)
	}
	if in.served > 2*maxLineBytes {
		t.Errorf("%d bytes were read of a line with a limit of %d", in.served, maxLineBytes)
	}
}

type endless struct {
	head   *strings.Reader
	served int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.head.Len() > 0 {
		return e.head.Read(p)
	}
	for i := range p {
		p[i] = 'A'
	}
	e.served += len(p)
	return len(p), nil
}

// A histogram may claim any range: the claim is checked before memory is set aside.
func TestAHistogramOfAHugeRangeTakesNoMemory(t *testing.T) {
	p := packed.Histogram(claiming(t, 1, math.MaxInt64, 5))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		if _, err := p.Decode(); err == nil {
			t.Fatal("accepted")
		}
	}
	runtime.ReadMemStats(&after)
	// Decoded, each would take 57 MB; what is left is the inflating, about 50 kB each.
	if took := after.TotalAlloc - before.TotalAlloc; took > 100<<20 {
		t.Errorf("refusing 100 of them took %d MB", took>>20)
	}
}

// claiming is the encoding of an empty histogram that claims a range.
func claiming(t testing.TB, lowest, highest int64, digits int32) string {
	t.Helper()
	var raw bytes.Buffer
	z := zlib.NewWriter(&raw)
	for _, v := range []any{int32(0x1c849313), int32(0), int32(0), digits, lowest, highest, 1.0} {
		if err := binary.Write(z, binary.BigEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	z.Close()
	head := binary.BigEndian.AppendUint32(nil, 0x1c849314)
	head = binary.BigEndian.AppendUint32(head, uint32(raw.Len()))
	return base64.StdEncoding.EncodeToString(append(head, raw.Bytes()...))
}

// small is a recording with histograms of few cells, so that the fuzzer gets far.
func small(t testing.TB) *Recording {
	t.Helper()
	rec := New(openHeader())
	for i := range 4 {
		h := hdrhistogram.New(1, 1e6, 1)
		h.RecordValues(int64(1000*(i+1)), 7)
		s := load.Slice{Start: start, Offset: time.Duration(i) * time.Second, Stage: i / 2, Duration: time.Second,
			Latencies: load.Latencies{Service: h, Response: h, Lag: h},
			Targets:   []load.TargetSlice{{Answered: 7, Latency: h}, {}}, Connections: load.Connections{Live: 10},
			Codes: map[int]uint64{200: 7}}
		s.Scheduled, s.Sent, s.Answered = 7, 7, 7
		if err := rec.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	rec.Final.Counts = counted(rec.Slices)
	return rec
}

func FuzzRead(f *testing.F) {
	file := text(f, small(f))
	f.Add([]byte(file))
	f.Add([]byte(file[:len(file)/2]))
	f.Add([]byte(strings.Replace(file, `"schema":2`, `"schema":3`, 1)))
	header, _, _ := strings.Cut(file, "\n")
	f.Add([]byte(header + "\n{\"slice\":{\"offset_ns\":1,\"start\":\"2026-11-21T09:30:00Z\",\"duration_ns\":5,\"counts\":{\"scheduled\":18446744073709551615},\"service\":\"" +
		claiming(f, 1, math.MaxInt64, 5) + "\"}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Read(bytes.NewReader(data), "fuzz")
		if err != nil {
			if fail.ExitCode(err) != int(fail.BadInput) {
				t.Fatalf("kind of %v", err)
			}
			return
		}
		// What is accepted can be summed up, written and read again.
		s := Summarize(r)
		var b bytes.Buffer
		for _, err := range []error{s.WriteJSON(&b), s.WriteTimelineCSV(&b)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		again := text(t, r)
		if text(t, read(t, again)) != again {
			t.Fatal("written and read it differs")
		}
	})
}

func FuzzHistogram(f *testing.F) {
	h := hdrhistogram.New(1, 1e6, 1)
	h.RecordValues(4711, 3)
	good, err := packed.Pack(h)
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range []string{"", string(good), claiming(f, 1, math.MaxInt64, 5), claiming(f, 1, 1e6, 1),
		claiming(f, 1, -1, 0)} {
		raw, _ := base64.StdEncoding.DecodeString(p)
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		h, err := packed.Histogram(base64.StdEncoding.EncodeToString(raw)).Decode()
		if err != nil || h == nil {
			return
		}
		if h.ByteSize() > 1<<20 {
			t.Fatalf("a histogram of %d bytes was accepted", h.ByteSize())
		}
		if l := LatencyOf(h); l.Count < 0 || l.P50 > l.Max {
			t.Fatalf("%+v", l)
		}
	})
}
