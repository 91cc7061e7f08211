package recording

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// hgrmTicks is the number of lines for each halving of the distance to 100 %, as the
// plotting pages for these files have it.
const hgrmTicks = 5

// WriteHGRM writes a histogram of nanoseconds as HdrHistogram's percentile distribution
// text, the .hgrm that plotting pages read, in milliseconds. nil counts as empty.
func WriteHGRM(w io.Writer, h *hdrhistogram.Histogram) error {
	if h == nil || h.TotalCount() == 0 {
		// The library loops over an empty histogram as if it had a maximum.
		_, err := io.WriteString(w, " Value\tPercentile\tTotalCount\t1/(1-Percentile)\n\n"+
			"#[Mean    =        0.000, StdDeviation   =        0.000]\n#[Max     =        0.000, Total count    =            0]\n")
		return err
	}
	_, err := h.PercentilesPrint(w, hgrmTicks, 1e6)
	return err
}

// WriteJSON writes the summary as indented JSON.
func (s Summary) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(s)
}

// WriteTimelineCSV writes one row for each slice; times in nanoseconds, rates in requests
// per second.
func (s Summary) WriteTimelineCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	err := c.Write([]string{
		"offset_ns", "duration_ns", "stage", "asked_hz", "sent_hz", "achieved_hz",
		"scheduled", "sent", "answered", "failed", "unanswered", "bytes_sent", "bytes_received",
		"min_ns", "mean_ns", "p50_ns", "p90_ns", "p99_ns", "p99_9_ns", "max_ns", "service_p99_ns", "lag_p99_ns",
		"waited", "live", "reconnects", "busy",
	})
	for _, r := range s.Timeline {
		l := r.Latency
		err = errors.Join(err, c.Write(fields(r.Offset.Nanoseconds(), r.Duration.Nanoseconds(), r.Stage, r.AskedHz,
			r.SentHz, r.AchievedHz,
			r.Scheduled, r.Sent, r.Answered, r.Failed, r.Unanswered, r.BytesSent, r.BytesReceived,
			l.Min.Nanoseconds(), l.Mean.Nanoseconds(), l.P50.Nanoseconds(), l.P90.Nanoseconds(), l.P99.Nanoseconds(),
			l.P999.Nanoseconds(), l.Max.Nanoseconds(), r.ServiceP99.Nanoseconds(), r.LagP99.Nanoseconds(),
			r.Waited, r.MinLive, r.Reconnects, r.Busy)))
	}
	c.Flush()
	return errors.Join(err, c.Error())
}

// fields writes numbers so that they can be read back without loss.
func fields(values ...any) []string {
	out := make([]string, len(values))
	for i, v := range values {
		if f, ok := v.(float64); ok {
			out[i] = strconv.FormatFloat(f, 'g', -1, 64)
			continue
		}
		out[i] = fmt.Sprint(v)
	}
	return out
}
