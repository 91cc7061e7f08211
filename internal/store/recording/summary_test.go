package recording

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"net"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/load"
)

// A stretch whose numbers can be worked out by hand: 1,000 answers of 1 to 1,000 ms, ten
// failed, and ten given up at the age of 2 s.
func TestTheNumbersAreThoseWorkedOutByHand(t *testing.T) {
	h := openHeader()
	h.Schedule = load.OpenLoop(102, 10*time.Second)
	rec := New(h)
	s := load.Slice{
		Start: start, Duration: 12 * time.Second, Draining: 2 * time.Second, Silent: 2 * time.Second,
		Latencies: load.Latencies{Service: histogram(), Response: histogram(),
			Lag: histogram(1000), Age: histogram(),
			FailedLatency: histogram(5e6)}, Connections: load.Connections{Live: 10}, Waited: 7,
		Codes: map[int]uint64{200: 900, 302: 90, 304: 10, 500: 10}, WorkerTime: load.WorkerTime{WorkerCPU: 8 * time.Second,
			WorkerWall: 12 * time.Second, Spin: 2 * time.Second},
	}
	for i := range 1000 {
		s.Response.RecordValue(int64(i+1) * 1e6)
		s.Service.RecordValue(int64(i+1) * 5e5)
	}
	s.Age.RecordValues(2e9, 10)
	s.Counts = load.Counts{Scheduled: 1020, Sent: 1015, Unsent: 5, Answered: 1000, Failed: 10, Unanswered: 5,
		BytesSent: 5000, BytesReceived: 1e6}
	s.Causes[load.WrongStatus] = 10
	if err := rec.Add(s); err != nil {
		t.Fatal(err)
	}
	rec.Final.Counts = s.Counts
	got := Summarize(rec)
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.0011*want { // the cells of the histograms
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	near("p50", float64(got.Latency.P50), 505e6) // the ages are in the tail of 1,010
	near("p99", float64(got.Latency.P99), 1000e6)
	near("p99.9", float64(got.Latency.P999), 2e9)
	near("max", float64(got.Latency.Max), 2e9)
	near("response p50", float64(got.Latencies.Response.P50), 500e6)
	near("response mean", float64(got.Latencies.Response.Mean), 500.5e6)
	near("response deviation", float64(got.Latencies.Response.StdDev), 288.67e6) // sqrt((1000^2-1)/12) ms
	near("service p90", float64(got.Latencies.Service.P90), 450e6)
	near("failed", float64(got.Latencies.Failed.P50), 5e6)
	near("asked", got.AskedHz, 102)
	near("sent", got.SentHz, 101.5)
	near("achieved", got.AchievedHz, 100)
	near("bytes", got.BytesReceivedHz, 1e5)
	near("errors", got.ErrorShare, 10.0/1010)
	near("busy", got.Generator.Busy, 0.5)
	near("spin", got.Generator.Spin, 1.0/6)
	if got.Loop != "open" || !got.Valid || got.Redirects != 100 || got.Causes["wrong status"] != 10 || got.Waited != 7 {
		t.Errorf("loop %s, valid %v, redirects %d, causes %v, waited %d", got.Loop, got.Valid, got.Redirects,
			got.Causes, got.Waited)
	}
	if got.Account != (Account{Scheduled: 1020, Sent: 1015, Unsent: 5, Answered: 1000, Failed: 10, Unanswered: 5}) ||
		got.Latencies.Connect != nil {
		t.Errorf("account %+v, connect %v", got.Account, got.Latencies.Connect)
	}
	near("row rate", got.Timeline[0].AskedHz, 102)
}

func TestEachStageHasItsRow(t *testing.T) {
	s := Summarize(openRecording(t, 1))
	if len(s.Stages) != 2 || len(s.Timeline) != 4 {
		t.Fatalf("%d stages, %d rows", len(s.Stages), len(s.Timeline))
	}
	a, b := s.Stages[0], s.Stages[1]
	if a.AskedHz != 100 || b.AskedHz != 200 || b.Offset != 2*time.Second || b.Answered != 400 || b.AchievedHz != 200 {
		t.Errorf("stages %+v and %+v", a, b)
	}
	if got := s.Timeline[3].AskedHz; got != 250 {
		t.Errorf("the last second of a ramp from 100 to 300 in 2 s asks for %v/s, want 250", got)
	}
}

// However a schedule is cut, its parts ask for what the whole does.
func TestAskedAddsUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := load.Schedule{}
		for range rapid.IntRange(1, 4).Draw(rt, "stages") {
			s.Stages = append(s.Stages, load.Stage{From: rapid.Float64Range(0, 1e4).Draw(rt, "from"),
				To:  rapid.Float64Range(0, 1e4).Draw(rt, "to"),
				For: time.Duration(rapid.Int64Range(1, 1e10).Draw(rt, "for"))})
		}
		end := s.Length()
		cut := time.Duration(rapid.Int64Range(0, int64(end)).Draw(rt, "cut"))
		whole := MeanRate(s, 0, end) * end.Seconds()
		parts := MeanRate(s, 0, cut)*cut.Seconds() + MeanRate(s, cut, end)*(end-cut).Seconds()
		if math.Abs(whole-parts) > 1e-6*(1+whole) {
			rt.Fatalf("whole %v, parts %v", whole, parts)
		}
		exact := 0.0
		for _, g := range s.Stages {
			exact += (g.From + g.To) / 2 * g.For.Seconds()
		}
		if math.Abs(whole-exact) > 1e-6*(1+exact) {
			rt.Fatalf("asked %v, the schedule expects %v", whole, exact)
		}
	})
	replay := load.Schedule{Replay: []time.Duration{0, 1, 1, 5e8, 1e9, 3e9}}
	if got := MeanRate(replay, 0, time.Second); got != 4 {
		t.Errorf("a replay asks for %v in its first second, want 4", got)
	}
}

func TestAnEmptyRecordingHasNumbersOfNothing(t *testing.T) {
	for _, r := range []*Recording{New(openHeader()), {}} {
		s := Summarize(r)
		var b bytes.Buffer
		if err := s.WriteJSON(&b); err != nil { // NaN and Inf would be an error
			t.Error(err)
		}
		tally := r.Tally()
		if err := WriteHGRM(&b, tally.Latency()); err != nil {
			t.Error(err)
		}
	}
}

func TestExportsCanBeReadBack(t *testing.T) {
	s := Summarize(openRecording(t, 1))
	var b bytes.Buffer
	if err := s.WriteTimelineCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll() // it also checks that rows are equally long
	if err != nil || len(rows) != 5 || rows[4][5] != "250" {
		t.Errorf("timeline %v: %v", rows, err)
	}
	b.Reset()
	if err := s.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var back Summary
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back.Schema != SummarySchema ||
		back.Latency != s.Latency {
		t.Errorf("json %v: %v", back, err)
	}
	b.Reset()
	if err := WriteHGRM(&b, histogram(1e6, 2e6, 3e6)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Value", "1/(1-Percentile)", "#[Mean    =        2.000",
		"       3.000     1.000000            3"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the percentile text lacks %q:\n%s", want, b.String())
		}
	}
}

// ping is a protocol of five bytes each way.
type ping struct{}

func (ping) Dialog(int) load.Dialog { return &pingDialog{} }

type pingDialog struct{ answered uint64 }

func (*pingDialog) AppendRequest(dst []byte, _ uint64) []byte { return append(dst, "ping\n"...) }

func (d *pingDialog) NextAnswer(in []byte, eof bool) (int, load.Answer) {
	if len(in) < 5 {
		return 0, load.Answer{Close: eof}
	}
	d.answered++
	return 5, load.Answer{Seq: d.answered - 1, Code: 200}
}

// A real load on a real server goes into a recording and comes out of its file.
func TestARealLoadSurvivesItsFile(t *testing.T) {
	defer goleak.VerifyNone(t)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	go func() { // ends with ln
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() { // ends with the client's connection
				defer c.Close()
				for in := bufio.NewScanner(c); in.Scan(); {
					if _, err := c.Write([]byte("pong\n")); err != nil {
						return
					}
				}
			}()
		}
	}()
	ctx := context.Background()
	plan := load.Plan{Connections: 4, Depth: 1, Timeout: 30 * time.Second}
	dial := func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", ln.Addr().String())
	}
	session, err := load.Open(ctx, plan, ping{}, dial)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	g := load.Stretch{Schedule: load.OpenLoop(500, 400*time.Millisecond), Drain: 30 * time.Second,
		Interval: 100 * time.Millisecond}
	path := t.TempDir() + "/real.hone"
	f, err := Create(path, Header{Setup: Setup{Start: time.Now(), Plan: plan, Schedule: g.Schedule},
		Target: "tcp://" + ln.Addr().String(), Drain: g.Drain, Interval: g.Interval})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abandon()
	var direct load.Tally
	err = session.Run(ctx, g, func(s load.Slice) {
		direct.Add(s)
		one, err := packed.Of(s)
		if err := errors.Join(err, f.Slice(one)); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	counts, err := session.Close()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(Final{Counts: counts, Connect: session.Connects()}); err != nil {
		t.Fatal(err)
	}
	r, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := Summarize(r)
	// A busy machine may keep the generator from sending the last ones in time.
	if counts.Scheduled != 200 || counts.Answered == 0 || counts.Answered != counts.Sent ||
		counts.Sent+counts.Unsent != 200 {
		t.Fatalf("the load itself: %+v", counts)
	}
	if s.Account.Scheduled != 200 || s.Account.Answered != counts.Answered || s.Account.Unsent != counts.Unsent ||
		s.Codes[200] != counts.Answered || s.Latencies.Connect.Count != 4 {
		t.Errorf("account %+v, codes %v, connects %+v; the load was %+v", s.Account, s.Codes, s.Latencies.Connect,
			counts)
	}
	if again := r.Tally(); !again.Response.Equals(direct.Response) || !again.Lag.Equals(direct.Lag) ||
		again.Duration != direct.Duration {
		t.Error("the tally of the file is not that of the session")
	}
	asked := 0.0
	for _, row := range s.Timeline {
		asked += row.AskedHz * (row.Duration - row.Draining).Seconds()
	}
	if s.AskedHz != 500 || asked < 100 {
		t.Errorf("asked %v/s, over the rows %v requests", s.AskedHz, asked)
	}
}
