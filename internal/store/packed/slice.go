package packed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/load"
)

// Slice is a slice of load as it is stored. Its Offset is where in the run it began.
type Slice struct {
	load.Slice // without its histograms, which are here:
	Latencies
	// Targets are those of the header of a recording.
	Targets []TargetSlice `json:"targets,omitempty"`

	Place
	Used
	// Conditions are what the machine did meanwhile.
	Conditions Conditions `json:"conditions,omitzero"`
}

// Latencies are load.Latencies whose histograms are packed.
type Latencies struct {
	Service       Histogram `json:"service,omitempty"`
	Response      Histogram `json:"response,omitempty"`
	Lag           Histogram `json:"lag,omitempty"`
	Age           Histogram `json:"age,omitempty"`
	FailedLatency Histogram `json:"failed_latency,omitempty"`
	FirstByte     Histogram `json:"first_byte,omitempty"`
	Gaps          Histogram `json:"gaps,omitempty"`
	MessageAge    Histogram `json:"message_age,omitempty"`
}

// TargetSlice is a load.TargetSlice whose histogram is packed.
type TargetSlice struct {
	load.TargetSlice
	Latency Histogram `json:"latency,omitempty"`
}

// Place says which slice of a run it is. In a recording it says nothing.
type Place struct {
	// Index counts the run's slices from 0.
	Index int `json:"index,omitempty"`
	// Block is the start of the process that it measured, Pair the pair that it is one half
	// of, or a part of one half; First says whether it ran before that of the other half.
	Block int  `json:"block,omitempty"`
	Pair  int  `json:"pair,omitempty"`
	First bool `json:"first,omitempty"`
	// Build says which of the variant's builds, that differ in their layout only, ran.
	Build int `json:"build,omitempty"`
}

// Used is what the program used meanwhile: CPU time, read and write calls. Of a load test nothing is known.
type Used struct {
	CPU    time.Duration `json:"cpu_ns,omitempty"`
	Reads  uint64        `json:"reads,omitempty"`
	Writes uint64        `json:"writes,omitempty"`
}

// Of packs a slice, which stays the caller's.
func Of(s load.Slice) (Slice, error) {
	p := packer{}
	out := bare(s)
	out.Service, out.Response, out.Lag = p.pack(s.Service), p.pack(s.Response), p.pack(s.Lag)
	out.Age, out.FailedLatency = p.pack(s.Age), p.pack(s.FailedLatency)
	out.FirstByte, out.Gaps, out.MessageAge = p.pack(s.FirstByte), p.pack(s.Gaps), p.pack(s.MessageAge)
	for _, t := range s.Targets {
		packed := TargetSlice{TargetSlice: t, Latency: p.pack(t.Latency)}
		packed.TargetSlice.Latency = nil
		out.Targets = append(out.Targets, packed)
	}
	return out, p.err
}

// HeadlineLatencies packs those histograms of a slice that Headline keeps. The slice stays the caller's.
func HeadlineLatencies(s load.Slice) (out Latencies, err error) {
	p := packer{}
	if out.Response = p.pack(s.Response); out.Response == "" {
		out.Service = p.pack(s.Service)
	}
	out.Age = p.pack(s.Age)
	return out, p.err
}

// HeadlineOf is a slice as Headline leaves it, with histograms that are packed already.
func HeadlineOf(s load.Slice, latencies Latencies) Slice {
	out := bare(s)
	out.Latencies = latencies
	return out.Headline()
}

// bare is a slice without its histograms.
func bare(s load.Slice) Slice {
	out := Slice{Slice: s.Bare()}
	out.Start, out.Slice.Targets = s.Start.Round(0).UTC(), nil
	return out
}

// Headline is what the ledger keeps of a slice: of its distributions the one that speaks for the target, and all of its
// answers together.
func (s Slice) Headline() Slice {
	if s.Response != "" {
		s.Service = ""
	}
	s.Lag, s.FailedLatency, s.FirstByte, s.Gaps, s.MessageAge = "", "", "", "", ""
	s.Targets, s.Codes, s.WrongStatuses = nil, nil, load.Statuses{}
	return s
}

// Latency is the distribution that speaks for the target, see load.Slice.Latency; nil if there is none. The content is
// not trusted.
func (s Slice) Latency() (*hdrhistogram.Histogram, error) { return s.Latencies.decode() }

// decode is Slice.Latency.
func (l Latencies) decode() (*hdrhistogram.Histogram, error) {
	all, err := l.Service.Decode()
	if l.Response != "" {
		all, err = l.Response.Decode()
	}
	if err != nil || l.Age == "" {
		return all, err
	}
	age, err := l.Age.Decode()
	if err != nil {
		return nil, err
	}
	if all != nil && shapeOf(all) != shapeOf(age) {
		return nil, errors.New("its histograms differ in their range")
	}
	return load.SumHistograms(all, age), nil
}

// EncodeLatency is Latency, packed; nil if there is none.
func (s Slice) EncodeLatency() ([]byte, error) { return s.Latencies.Encode() }

// Encode is EncodeLatency of a slice with these latencies.
func (l Latencies) Encode() ([]byte, error) {
	switch {
	case l.Age != "":
		h, err := l.decode()
		if err != nil {
			return nil, err
		}
		return load.EncodeHistogram(h)
	case l.Response != "":
		return []byte(l.Response), nil
	case l.Service != "":
		return []byte(l.Service), nil
	}
	return nil, nil
}

// Unpack returns the slice with histograms that belong to the caller.
func (s Slice) Unpack() load.Slice {
	out := s.Slice
	out.Service, out.Response, out.Lag = s.Service.open(), s.Response.open(), s.Lag.open()
	out.Age, out.FailedLatency = s.Age.open(), s.FailedLatency.open()
	out.FirstByte, out.Gaps, out.MessageAge = s.FirstByte.open(), s.Gaps.open(), s.MessageAge.open()
	for _, t := range s.Targets {
		one := t.TargetSlice
		one.Latency = t.Latency.open()
		out.Targets = append(out.Targets, one)
	}
	return out
}

// named are the packed histograms with their names in JSON.
func (l *Latencies) named() []named {
	return []named{
		{"service", &l.Service}, {"response", &l.Response}, {"lag", &l.Lag},
		{"age", &l.Age}, {"failed_latency", &l.FailedLatency},
		{"first_byte", &l.FirstByte}, {"gaps", &l.Gaps}, {"message_age", &l.MessageAge},
	}
}

// histograms are the packed histograms with their names in JSON, those of targets last.
func (s *Slice) histograms() []named {
	all := s.named()
	for i := range s.Targets {
		all = append(all, named{fmt.Sprintf("target %d", i+1), &s.Targets[i].Latency})
	}
	return all
}

type named struct {
	name string
	*Histogram
}

// Shape is the range of its histograms, the zero value if it has none.
func (s *Slice) Shape() Shape {
	for _, h := range s.histograms() {
		if *h.Histogram == "" {
			continue
		}
		if one, err := h.peek(); err == nil {
			return one
		}
	}
	return Shape{}
}

// HistogramBytes is how many bytes its histograms take.
func (s *Slice) HistogramBytes() int { return bytesOf(s.histograms()) }

// Bytes is how many bytes the histograms take.
func (l *Latencies) Bytes() int { return bytesOf(l.named()) }

func bytesOf(all []named) (n int) {
	for _, h := range all {
		n += len(*h.Histogram)
	}
	return n
}

// plain is a slice without the methods that say how it is JSON.
type plain Slice

// inJSON is a slice as it is JSON.
type inJSON struct {
	plain
	Counts Counts `json:"counts"`
}

// MarshalJSON implements json.Marshaler.
func (s Slice) MarshalJSON() ([]byte, error) {
	s.Conditions = s.Conditions.stored()
	return json.Marshal(inJSON{plain(s), CountsOf(s.Counts)})
}

// UnmarshalJSON implements json.Unmarshaler. It refuses a key that it does not know, and what no load has made. Of
// histograms it does not look inside: Reader and Latency do.
func (s *Slice) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var in inJSON
	if err := d.Decode(&in); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one value")
	}
	counts, err := in.Counts.Load()
	if err != nil {
		return err
	}
	*s = Slice(in.plain)
	s.Counts = counts
	return s.check()
}

// check says what no load has made.
func (s *Slice) check() error {
	for _, v := range []struct {
		name  string
		value int64
	}{
		{"offset_ns", int64(s.Offset)}, {"stage", int64(s.Stage)}, {"duration_ns", int64(s.Duration)},
		{"draining_ns", int64(s.Draining)}, {"silent_ns", int64(s.Silent)}, {"live", int64(s.Live)},
		{"stalled", int64(s.Stalled)}, {"reconnects", int64(s.Reconnects)}, {"renewed", int64(s.Renewed)},
		{"worker_cpu_ns", int64(s.WorkerCPU)}, {"worker_wall_ns", int64(s.WorkerWall)}, {"spin_ns", int64(s.Spin)},
	} {
		if v.value < 0 {
			return fmt.Errorf("%s is %d, want 0 or more", v.name, v.value)
		}
	}
	for code := range s.Codes {
		if code < 0 || code >= load.MaxCode {
			return fmt.Errorf("status code %d, want 0 to %d", code, load.MaxCode-1)
		}
	}
	return nil
}
