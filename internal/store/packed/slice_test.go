package packed

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/load"
)

// open is a slice of an open loop of which all is known.
func open(t *testing.T) load.Slice {
	t.Helper()
	of := func(values ...int64) *hdrhistogram.Histogram {
		h := hdrhistogram.New(1, int64(time.Hour), 3)
		for _, v := range values {
			if err := h.RecordValue(v); err != nil {
				t.Fatal(err)
			}
		}
		return h
	}
	s := load.Slice{Start: time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC), Duration: time.Second,
		Connections: load.Connections{Live: 2},
		Counts:      load.Counts{Scheduled: 3, Sent: 3, Answered: 2, Failed: 1}, Codes: map[int]uint64{200: 2, 503: 1},
		Latencies: load.Latencies{Service: of(5, 6), Response: of(50, 60), Lag: of(1), Age: of(900),
			FailedLatency: of(7), FirstByte: of(3),
			Gaps: of(2), MessageAge: of(4)}, Targets: []load.TargetSlice{{Answered: 2, Latency: of(50, 60)}, {Failed: 1}}}
	s.Causes[load.WrongStatus] = 1
	s.WrongStatuses.Add(503, 1)
	return s
}

// What is packed and stored as JSON is the same slice when it is read.
func TestASliceIsReadAsItWasStored(t *testing.T) {
	s := open(t)
	stored, err := Of(s)
	if err != nil {
		t.Fatal(err)
	}
	stored.Place, stored.Used = Place{Index: 7, Block: 2, Pair: 3, First: true, Build: 1}, Used{CPU: 11, Reads: 12}
	text, err := json.Marshal(stored)
	if err != nil {
		t.Fatal(err)
	}
	got, err := (&Reader{}).Read(text)
	if err != nil || !reflect.DeepEqual(got, stored) {
		t.Errorf("%+v, want %+v: %v", got, stored, err)
	}
	again, err := Of(got.Unpack())
	again.Place, again.Used = stored.Place, stored.Used
	if err != nil || !reflect.DeepEqual(again, stored) {
		t.Errorf("%+v, want %+v: %v", again, stored, err)
	}
}

// The ledger keeps the distribution that speaks for the target, and no other.
func TestTheHeadlineOfASlice(t *testing.T) {
	s := open(t)
	whole, err := Of(s)
	if err != nil {
		t.Fatal(err)
	}
	latencies, err := HeadlineLatencies(s)
	headline := HeadlineOf(s, latencies)
	if err != nil || !reflect.DeepEqual(headline, whole.Headline()) {
		t.Errorf("%+v, want %+v: %v", headline, whole.Headline(), err)
	}
	if headline.Service != "" || headline.Lag != "" || headline.Targets != nil || headline.Codes != nil ||
		headline.Answered != 2 || headline.Causes[load.WrongStatus] != 1 {
		t.Errorf("%+v", headline)
	}
	latency, err := headline.Latency()
	if err != nil || latency.TotalCount() != 3 || latency.Max() < 900 {
		t.Errorf("latency %v: %v, want the two answers and the one that was given up", latency, err)
	}
	want, err := s.EncodeLatency()
	if got, again := headline.EncodeLatency(); err != nil || again != nil || string(got) != string(want) {
		t.Errorf("encoded %s, want %s: %v, %v", got, want, err, again)
	}
}

// What no load has made is refused.
func TestSlicesThatCannotBeAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`null`:                  "it is null",
		`{"live":-1}`:           "live is -1",
		`{"codes":{"70000":1}}`: "status code 70000",
		`{"colour":"red"}`:      `unknown field "colour"`,
		`{"counts":{"causes":[` + strings.Repeat("0,", 200) + `1]}}`: "cause number 200 is unknown",
		`{"age":"AAAA"}`: "age: decode histogram",
	} {
		if _, err := (&Reader{}).Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q", text, err, want)
		}
	}
}
