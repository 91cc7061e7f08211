package recording

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/load"
)

// Packed is a histogram in the V2 compressed encoding of HdrHistogram, base64: some kB instead
// of 240. Empty means that there is none.
type Packed string

// Slice is a load.Slice whose histograms are packed, so that a long test fits in memory.
type Slice struct {
	load.Slice // without its histograms, which are here:

	Service       Packed `json:"service,omitempty"`
	Response      Packed `json:"response,omitempty"`
	Lag           Packed `json:"lag,omitempty"`
	Age           Packed `json:"age,omitempty"`
	FailedLatency Packed `json:"failed_latency,omitempty"`
	FirstByte     Packed `json:"first_byte,omitempty"`
	Gaps          Packed `json:"gaps,omitempty"`
	MessageAge    Packed `json:"message_age,omitempty"`
	// Targets are those of the header.
	Targets []TargetSlice `json:"targets,omitempty"`
}

// TargetSlice is a load.TargetSlice whose histogram is packed.
type TargetSlice struct {
	load.TargetSlice
	Latency Packed `json:"latency,omitempty"`
}

// Pack packs a slice, which stays the caller's.
func Pack(s load.Slice) (Slice, error) {
	out := Slice{Slice: s.Bare()}
	out.Start = s.Start.Round(0).UTC()
	var err error
	pack := func(h *hdrhistogram.Histogram) (p Packed) {
		if err == nil {
			p, err = packHistogram(h)
		}
		return p
	}
	out.Service, out.Response, out.Lag = pack(s.Service), pack(s.Response), pack(s.Lag)
	out.Age, out.FailedLatency = pack(s.Age), pack(s.FailedLatency)
	out.FirstByte, out.Gaps, out.MessageAge = pack(s.FirstByte), pack(s.Gaps), pack(s.MessageAge)
	out.Slice.Targets = nil
	for _, t := range s.Targets {
		packed := TargetSlice{TargetSlice: t, Latency: pack(t.Latency)}
		packed.TargetSlice.Latency = nil
		out.Targets = append(out.Targets, packed)
	}
	return out, err
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

// histograms are the packed histograms with their names in the file.
func (s *Slice) histograms() []namedPacked {
	all := []namedPacked{
		{"service", &s.Service}, {"response", &s.Response}, {"lag", &s.Lag},
		{"age", &s.Age}, {"failed_latency", &s.FailedLatency},
		{"first_byte", &s.FirstByte}, {"gaps", &s.Gaps}, {"message_age", &s.MessageAge},
	}
	for i := range s.Targets {
		all = append(all, namedPacked{fmt.Sprintf("target %d", i+1), &s.Targets[i].Latency})
	}
	return all
}

type namedPacked struct {
	name string
	*Packed
}

// open unpacks what Pack or the checks of the reader have seen. An empty string gives nil.
func (p Packed) open() *hdrhistogram.Histogram {
	if p == "" {
		return nil
	}
	h, err := hdrhistogram.Decode([]byte(p))
	if err != nil {
		return nil // only a Slice made by hand, without Pack, gets here
	}
	return h
}

func packHistogram(h *hdrhistogram.Histogram) (Packed, error) {
	if h == nil {
		return "", nil
	}
	b, err := load.EncodeHistogram(h)
	return Packed(b), err
}

// geometry is the range of a histogram. Only equal ones add up without loss.
type geometry struct{ lowest, highest, digits int64 }

func geometryOf(h *hdrhistogram.Histogram) geometry {
	return geometry{h.LowestTrackableValue(), h.HighestTrackableValue(), h.SignificantFigures()}
}

// The bounds of a histogram that is accepted from a file: a day in nanoseconds with three
// digits takes 0.3 MB of memory; the encoding of one in which each of the 38,000 cells is
// used with counts of some bytes stays under 1 MB.
const (
	maxHighest = int64(24 * time.Hour)
	maxDigits  = 3
	maxPacked  = 1 << 20
)

// checked unpacks a histogram that a stranger may have written. Its range is checked
// before memory is set aside for it.
func (p Packed) checked() (*hdrhistogram.Histogram, error) {
	if p == "" {
		return nil, nil
	}
	if len(p) > maxPacked {
		return nil, fmt.Errorf("histogram of %d bytes, over the limit of %d", len(p), maxPacked)
	}
	g, err := p.peek()
	if err != nil {
		return nil, err
	}
	if g.lowest != 1 || g.highest < 2 || g.highest > maxHighest || g.digits < 1 || g.digits > maxDigits {
		return nil, fmt.Errorf("histogram from %d to %d with %d digits, want from 1 to at most %d with 1 to %d",
			g.lowest, g.highest, g.digits, maxHighest, maxDigits)
	}
	return hdrhistogram.Decode([]byte(p))
}

// peek reads the range from the encoding (HdrHistogram V2: a cookie and a length of four
// bytes each, then a zlib stream that begins with cookie, payload length, index offset and
// digits of four bytes, and lowest, highest and conversion ratio of eight).
func (p Packed) peek() (geometry, error) {
	raw, err := base64.StdEncoding.DecodeString(string(p))
	if err != nil {
		return geometry{}, fmt.Errorf("decode histogram: %w", err)
	}
	if len(raw) < 8 {
		return geometry{}, errors.New("decode histogram: too short")
	}
	z, err := zlib.NewReader(bytes.NewReader(raw[8:]))
	if err != nil {
		return geometry{}, fmt.Errorf("decode histogram: %w", err)
	}
	defer z.Close()
	var head [40]byte
	if _, err := io.ReadFull(z, head[:]); err != nil {
		return geometry{}, fmt.Errorf("decode histogram: %w", err)
	}
	return geometry{
		lowest:  int64(binary.BigEndian.Uint64(head[16:])),
		highest: int64(binary.BigEndian.Uint64(head[24:])),
		digits:  int64(int32(binary.BigEndian.Uint32(head[12:]))),
	}, nil
}
