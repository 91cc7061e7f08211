package load

import (
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// EncodeLatency returns the slice's latencies in HdrHistogram's V2 encoding,
// compressed: about a kilobyte. Histograms of several slices merge without loss.
func (s Slice) EncodeLatency() ([]byte, error) {
	if s.Service == nil {
		return nil, nil
	}
	b, err := s.Service.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		return nil, fmt.Errorf("encode latency histogram: %w", err)
	}
	return b, nil
}
