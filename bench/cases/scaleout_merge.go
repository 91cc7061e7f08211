package cases

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"syscall"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/internal/conduct/cluster"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/load"
)

// simulated is an agent without a load: its recording is there from the start.
type simulated struct {
	recording []byte
	worker    *cluster.Worker
}

func (a *simulated) Prepare(json.RawMessage)                {}
func (a *simulated) StartAt(time.Duration, json.RawMessage) {}
func (a *simulated) Cut()                                   {}
func (a *simulated) Stop()                                  {}
func (a *simulated) Abandon()                               {}
func (a *simulated) Recording() io.ReaderAt                 { return bytes.NewReader(a.recording) }

// kept is what a coordinator has received, in memory.
type kept map[string]*bytes.Buffer

// Keep implements cluster.Store.
func (k kept) Keep(agent string, _ int64, data []byte) error {
	if k[agent] == nil {
		k[agent] = &bytes.Buffer{}
	}
	k[agent].Write(data)
	return nil
}

// merge has many agents deliver their recordings to one coordinator, message by message, and makes one result of them.
func merge(b *bed.Bed, many, slices int) error {
	agents := make([]*simulated, many)
	var parts []cluster.Part
	var size int
	for i := range agents {
		raw, err := record(i, slices)
		if err != nil {
			return err
		}
		size += len(raw)
		agents[i] = &simulated{recording: raw}
		parts = append(parts, cluster.Part{Hello: cluster.Hello{ID: fmt.Sprint(i), Name: fmt.Sprint(i), Clock: 1}, Job: json.RawMessage("{}")})
	}
	store := kept{}
	now := 2 * time.Nanosecond
	co := cluster.NewCoordinator("run", parts, store, 1, now)
	var orders []cluster.Order
	co.Send = func(o cluster.Order) { orders = append(orders, o) }
	before := cpuHere()
	for co.Tick(now); !co.Over(); co.Tick(now) {
		if co.Err() != nil || now > time.Hour {
			return fmt.Errorf("the run ended badly: %w", co.Err())
		}
		now += cluster.Every / 5
		batch := orders
		orders = nil
		for _, o := range batch {
			var number int
			if _, err := fmt.Sscan(o.Agent, &number); err != nil {
				return err
			}
			agents[number].take(o, co, now)
		}
		for _, a := range agents {
			if a.worker != nil {
				a.worker.Tick(now)
			}
		}
	}
	received := cpuHere()
	var all []*recording.Recording
	for id, raw := range store {
		r, err := recording.Read(raw, "agent "+id)
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	read := cpuHere()
	sum, err := recording.Merge(all...)
	if err != nil {
		return err
	}
	merged := cpuHere()
	if want := uint64(many * slices * perSlice); sum.Tally().Answered != want || sum.Final.Counts.Answered != want {
		return fmt.Errorf("%d answered in the sum, want %d", sum.Tally().Answered, want)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return err
	}
	t := b.Table(fmt.Sprintf("Recordings of %d agents, %d slices of %d answers: %s in all, %s for a slice", many, slices, perSlice,
		units.Bytes(float64(size)), units.Bytes(float64(size/many/slices))), "what", "CPU", "of an agent and second")
	t.Row("deliver, both ends of all messages", (received - before).Round(time.Millisecond).String(), ((received - before) / time.Duration(many*slices)).Round(time.Microsecond).String())
	t.Row("read and check", (read - received).Round(time.Millisecond).String())
	t.Row("merge", (merged - read).Round(time.Millisecond).String())
	b.Claim(fmt.Sprintf("merging the recordings of %d agents of %d s", many, slices), "%v of CPU, %s at most", (merged - before).Round(time.Millisecond), units.Bytes(float64(usage.Maxrss)*1024))
	return nil
}

// take takes an order as an agent does whose job is done at once.
func (a *simulated) take(o cluster.Order, co *cluster.Coordinator, now time.Duration) {
	if a.worker != nil {
		a.worker.Hear(o, now)
		if o.Start > 0 && a.worker.State().Phase == cluster.Ready {
			sum := sha256.Sum256(a.recording)
			a.worker.Started(now, now)
			a.worker.Finished(int64(len(a.recording)), hex.EncodeToString(sum[:]), nil, now)
		}
		return
	}
	a.worker = cluster.NewWorker(o, a, func(message any) {
		switch m := message.(type) {
		case cluster.State:
			co.HearState(m, now)
		case cluster.Chunk:
			co.HearChunk(m, now)
		}
	}, now)
	a.worker.Prepared(nil, now)
}

// perSlice is how many answers a slice has.
const perSlice = 1000

// record makes a recording of slices of a second, with latencies like those of a service: log-normal around 1 ms.
func record(seed, slices int) ([]byte, error) {
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	r := recording.New(recording.Header{Target: "http://192.0.2.1/", Protocol: "http", Drain: time.Second, Interval: time.Second, Setup: recording.Setup{
		Plan: load.Plan{Connections: 10, Depth: 1, Timeout: time.Second}, Schedule: load.OpenLoop(perSlice, time.Duration(slices)*time.Second),
	}})
	histogram := func() *hdrhistogram.Histogram {
		h := hdrhistogram.New(1, int64(time.Hour), 3)
		for range perSlice {
			_ = h.RecordValue(int64(float64(time.Millisecond) * (0.5 + random.ExpFloat64()/2))) // in range
		}
		return h
	}
	for i := range slices {
		s := load.Slice{
			Duration: time.Second, Offset: time.Duration(i) * time.Second, Live: 10,
			Counts:  load.Counts{Scheduled: perSlice, Sent: perSlice, Answered: perSlice, BytesSent: 100 * perSlice, BytesReceived: 200 * perSlice},
			Service: histogram(), Response: histogram(), Lag: histogram(), Codes: map[int]uint64{200: perSlice},
		}
		if err := r.Add(s); err != nil {
			return nil, err
		}
		r.Final.Counts.Add(s.Counts)
	}
	var out bytes.Buffer
	err := r.Write(&out)
	return out.Bytes(), err
}

// cpuHere is this process's CPU time.
func cpuHere() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
