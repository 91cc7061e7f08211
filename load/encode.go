package load

import (
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Latency is the distribution that speaks for the target: response time in an open
// loop, service time in a closed one, and in both the age of what was given up in the
// tail. It may be one of the slice's own histograms; nil if there is none.
func (s Slice) Latency() *hdrhistogram.Histogram {
	all := s.Service
	if s.Response != nil {
		all = s.Response
	}
	if s.Age == nil {
		return all
	}
	return sum(sum(nil, all), s.Age)
}

// EncodeLatency returns the slice's latencies in HdrHistogram's V2 encoding,
// compressed: about a kilobyte. Histograms of several slices merge without loss.
func (s Slice) EncodeLatency() ([]byte, error) {
	h := s.Latency()
	if h == nil {
		return nil, nil
	}
	b, err := h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		return nil, fmt.Errorf("encode latency histogram: %w", err)
	}
	return b, nil
}
