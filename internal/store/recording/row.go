package recording

import (
	"time"

	"github.com/gohone/hone/load"
)

// Totals are what a test, or a part of it, came to.
type Totals struct {
	// Duration is the time under load, the drain at its end included.
	Duration time.Duration `json:"duration_ns"`
	// AskedHz is the mean rate that an open loop was asked for, SentHz what was sent and
	// AchievedHz what was answered right.
	AskedHz       float64 `json:"asked_hz,omitempty"`
	SentHz        float64 `json:"sent_hz"`
	AchievedHz    float64 `json:"achieved_hz"`
	BytesSent     uint64  `json:"bytes_sent"` // payload bytes of the connections
	BytesReceived uint64  `json:"bytes_received"`
	// Latency is the headline latency, with the ages of what was given up.
	Latency Latency `json:"latency"`
	// Waited counts requests that were due while no connection had room.
	Waited     uint64 `json:"waited,omitempty"`
	MinLive    int    `json:"min_live"`
	Reconnects int    `json:"reconnects,omitempty"`
}

func totalsOf(t *load.Tally) Totals {
	return Totals{
		Duration: t.Duration, SentHz: per(t.Sent, rateTime(t)), AchievedHz: t.AnsweredHz(),
		BytesSent: t.BytesSent, BytesReceived: t.BytesReceived,
		Latency: LatencyOf(t.Latency()), Waited: t.Waited, MinLive: t.Live, Reconnects: t.Reconnects,
	}
}

// Row is a part of a test: one slice, some slices or a stage.
type Row struct {
	Offset time.Duration `json:"offset_ns"`
	Totals
	// Draining is the part of Duration in which nothing was sent any more.
	Draining time.Duration `json:"draining_ns,omitempty"`
	Stage    int           `json:"stage"`
	// Account is within the row: what was outstanding before it is answered in it.
	Account
	// ServiceP99 is that of the service time, LagP99 of the send lag.
	ServiceP99 time.Duration `json:"service_p99_ns"`
	LagP99     time.Duration `json:"lag_p99_ns,omitempty"`
	Busy       float64       `json:"busy"`
}

// condensed is what one pass over the slices gives.
type condensed struct {
	total  load.Tally
	rows   []Row // one for each slice
	stages []Row // nil if there is one stage
}

// condense unpacks each slice once and keeps one at a time.
func (r *Recording) condense() condensed {
	var c condensed
	var stage load.Tally
	offset := time.Duration(0) // of the stage
	many := len(r.Header.Schedule.Stages) > 1
	for i, packed := range r.Slices {
		s := packed.Unpack()
		c.total.Add(s)
		var one load.Tally
		one.Add(s)
		c.rows = append(c.rows, r.row(&one, s.Offset, s.Stage))
		if !many {
			continue
		}
		if stage.Slices == 0 {
			offset = s.Offset
		}
		stage.Add(s)
		if i == len(r.Slices)-1 || r.Slices[i+1].Stage != s.Stage {
			c.stages = append(c.stages, r.row(&stage, offset, s.Stage))
			stage = load.Tally{}
		}
	}
	c.total.Unsent, c.total.Unanswered = r.Final.Counts.Unsent, r.Final.Counts.Unanswered
	return c
}

// Timeline sums the slices to at most rows rows of about the same number of slices, for
// charts that have no room for more. It keeps to the borders of stages where it can.
func (r *Recording) Timeline(rows int) []Row {
	var out []Row
	n := len(r.Slices)
	group := max(1, (n+rows-1)/max(1, rows))
	for i := 0; i < n; i += group {
		var t load.Tally
		for _, s := range r.Slices[i:min(n, i+group)] {
			t.Add(s.Unpack())
		}
		out = append(out, r.row(&t, r.Slices[i].Offset, r.Slices[i].Stage))
	}
	return out
}

func (r *Recording) row(t *load.Tally, offset time.Duration, stage int) Row {
	row := Row{Offset: offset, Totals: totalsOf(t), Draining: t.Draining, Stage: stage, Account: AccountOf(t.Counts),
		Busy: t.Busy()}
	if t.Draining < t.Duration {
		row.AskedHz = MeanRate(r.Header.Schedule, offset, offset+rateTime(t))
	}
	if t.Service != nil {
		row.ServiceP99 = time.Duration(t.Service.ValueAtQuantile(99))
	}
	if t.Lag != nil {
		row.LagP99 = time.Duration(t.Lag.ValueAtQuantile(99))
	}
	return row
}
