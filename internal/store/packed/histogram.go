package packed

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

// Histogram is one in the V2 compressed encoding of HdrHistogram, base64: some kB instead of 240. Empty means that there
// is none.
type Histogram string

// open unpacks what Pack or Reader has seen. An empty string gives nil.
func (p Histogram) open() *hdrhistogram.Histogram {
	if p == "" {
		return nil
	}
	h, err := hdrhistogram.Decode([]byte(p))
	if err != nil {
		return nil // only a Slice made by hand, without Of, gets here
	}
	return h
}

// Pack packs a histogram; nil is packed as none.
func Pack(h *hdrhistogram.Histogram) (Histogram, error) {
	if h == nil {
		return "", nil
	}
	b, err := load.EncodeHistogram(h)
	return Histogram(b), err
}

// packer packs histograms up to the first error.
type packer struct{ err error }

func (p *packer) pack(h *hdrhistogram.Histogram) (packed Histogram) {
	if p.err == nil {
		packed, p.err = Pack(h)
	}
	return packed
}

// Shape is the range of a histogram. Only equal ones add up without loss.
type Shape struct{ lowest, highest, digits int64 }

func shapeOf(h *hdrhistogram.Histogram) Shape {
	return Shape{h.LowestTrackableValue(), h.HighestTrackableValue(), h.SignificantFigures()}
}

// The bounds of a histogram that is accepted from a file: a day in nanoseconds with three
// digits takes 0.3 MB of memory; the encoding of one in which each of the 38,000 cells is
// used with counts of some bytes stays under 1 MB.
const (
	maxHighest = int64(24 * time.Hour)
	maxDigits  = 3
	maxPacked  = 1 << 20
)

// Decode unpacks a histogram that a stranger may have written; nil of none. Its range is checked before memory is set
// aside for it.
func (p Histogram) Decode() (*hdrhistogram.Histogram, error) {
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
func (p Histogram) peek() (Shape, error) {
	raw, err := base64.StdEncoding.DecodeString(string(p))
	if err != nil {
		return Shape{}, fmt.Errorf("decode histogram: %w", err)
	}
	if len(raw) < 8 {
		return Shape{}, errors.New("decode histogram: too short")
	}
	z, err := zlib.NewReader(bytes.NewReader(raw[8:]))
	if err != nil {
		return Shape{}, fmt.Errorf("decode histogram: %w", err)
	}
	defer z.Close()
	var head [40]byte
	if _, err := io.ReadFull(z, head[:]); err != nil {
		return Shape{}, fmt.Errorf("decode histogram: %w", err)
	}
	return Shape{
		lowest:  int64(binary.BigEndian.Uint64(head[16:])),
		highest: int64(binary.BigEndian.Uint64(head[24:])),
		digits:  int64(int32(binary.BigEndian.Uint32(head[12:]))),
	}, nil
}
