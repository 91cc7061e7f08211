package cases

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/load"
)

// merge makes one result of the recordings of many agents. cmd/hone-agent/internal/cluster measures how they are
// delivered.
func merge(b *bed.Bed, many, slices int) error {
	var sent [][]byte
	var size int
	for i := range many {
		raw, err := record(i, slices)
		if err != nil {
			return err
		}
		size += len(raw)
		sent = append(sent, raw)
	}
	before := cpuHere()
	var all []*recording.Recording
	for i, raw := range sent {
		r, err := recording.Read(bytes.NewReader(raw), fmt.Sprint("agent ", i))
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
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return err
	}
	t := b.Table(fmt.Sprintf("Recordings of %d agents, %d slices of %d answers: %s in all, %s for a slice", many,
		slices, perSlice,
		units.Bytes(float64(size)), units.Bytes(float64(size/many/slices))), "what", "CPU")
	t.Row("read and check", (read - before).Round(time.Millisecond).String())
	t.Row("merge", (merged - read).Round(time.Millisecond).String())
	b.Claim(fmt.Sprintf("merging the recordings of %d agents of %d s", many, slices), "%v of CPU, %s at most",
		(merged - before).Round(time.Millisecond), units.Bytes(float64(usage.Maxrss)*1024))
	return nil
}

// perSlice is how many answers a slice has.
const perSlice = 1000

// record makes a recording of slices of a second, with latencies like those of a service: log-normal around 1 ms.
func record(seed, slices int) ([]byte, error) {
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	r := recording.New(recording.Header{Target: "http://192.0.2.1/", Protocol: "http", Drain: time.Second,
		Interval: time.Second, Setup: recording.Setup{
			Plan:     load.Plan{Connections: 10, Depth: 1, Timeout: time.Second},
			Schedule: load.OpenLoop(perSlice, time.Duration(slices)*time.Second),
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
			Duration: time.Second, Offset: time.Duration(i) * time.Second, Connections: load.Connections{Live: 10},
			Counts: load.Counts{Scheduled: perSlice, Sent: perSlice, Answered: perSlice, BytesSent: 100 * perSlice,
				BytesReceived: 200 * perSlice},
			Latencies: load.Latencies{Service: histogram(), Response: histogram(), Lag: histogram()},
			Codes:     map[int]uint64{200: perSlice},
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
