package remotewrite

import (
	"fmt"

	"github.com/prometheus/client_golang/exp/api/remote"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/timestamp"
)

// batch is a request in the making: series, each with its samples in order of time and all
// of one kind. Of a series with floats and histograms in one request, Prometheus 2 stores
// the floats first and then silently drops the histograms that are older.
type batch interface {
	begin(labels.Labels) // what follows belongs to this series
	float(t int64, v float64)
	integers(t int64, h *histogram.Histogram)
	floats(t int64, h *histogram.FloatHistogram)
	samples() int
	what() content
	message() (any, remote.WriteMessageType)
}

// content is what a batch holds, in words for errors and statistics.
type content struct {
	first, last       labels.Labels
	series            int
	count, histograms int
	earliest, latest  int64 // milliseconds since 1970
}

func (c *content) begin(l labels.Labels) {
	if c.series == 0 {
		c.first = l
	}
	c.last = l
	c.series++
}

func (c *content) add(t int64) {
	if c.count == 0 {
		c.earliest, c.latest = t, t
	}
	c.earliest, c.latest = min(c.earliest, t), max(c.latest, t)
	c.count++
}

func (c *content) samples() int  { return c.count }
func (c *content) what() content { return *c }

// String says which series and which time: what a user needs to find the samples again.
func (c content) String() string {
	which := c.first.String()
	if c.series > 1 {
		which = fmt.Sprintf("%d series, %s to %s", c.series, c.first, c.last)
	}
	samples := "1 sample"
	if c.count != 1 {
		samples = fmt.Sprintf("%d samples", c.count)
	}
	return fmt.Sprintf("%s of %s, from %s to %s", samples, which,
		stamp(timestamp.Time(c.earliest)), stamp(timestamp.Time(c.latest)))
}
