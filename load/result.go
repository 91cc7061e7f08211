package load

import (
	"fmt"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Counts is the account of a stretch of load.
type Counts struct {
	// Scheduled is the number of requests the schedule called for; Sent those whose
	// last byte was handed to the kernel (the portable engine: to the net.Conn);
	// Unsent the rest, whether they wait for room or were lost with their connection.
	Scheduled uint64 `json:"scheduled"`
	Sent      uint64 `json:"sent"`
	Unsent    uint64 `json:"unsent"`
	// Answered counts right answers, Failed wrong ones and requests lost with their
	// connection, Unanswered those still outstanding.
	Answered   uint64 `json:"answered"`
	Failed     uint64 `json:"failed"`
	Unanswered uint64 `json:"unanswered"`
	// Lost is the part of Failed that had no answer: lost with the connection, or not
	// waited for any longer.
	Lost uint64 `json:"lost,omitempty"`
	// Stray counts replies that belong to no outstanding request: a second answer to
	// one, an id that was never sent, bytes on an idle connection.
	Stray uint64 `json:"stray,omitempty"`
	// Causes splits Failed and Stray by cause; beyond those it counts failed connects.
	Causes [NumCauses]uint64 `json:"causes"`
	// WrongStatuses splits the cause WrongStatus by Answer.Code.
	WrongStatuses Statuses `json:"wrong_statuses,omitzero"`
	// Messages counts the messages of streams, see Answer.Messages.
	Messages uint64 `json:"messages,omitempty"`
	// BytesSent and BytesReceived are payload bytes of the connection, headers of
	// lower layers not counted: of TLS, on the event loop, whole records.
	BytesSent     uint64 `json:"bytes_sent"`
	BytesReceived uint64 `json:"bytes_received"`
}

// ByCause is Causes by their names, without those that are 0; nil if all are.
func (c Counts) ByCause() map[string]uint64 {
	var named map[string]uint64
	for i, n := range c.Causes {
		if n > 0 && Cause(i) != OK {
			if named == nil {
				named = map[string]uint64{}
			}
			named[Cause(i).String()] = n
		}
	}
	return named
}

// Add adds o to c.
func (c *Counts) Add(o Counts) {
	c.Scheduled += o.Scheduled
	c.Sent += o.Sent
	c.Unsent += o.Unsent
	c.Answered += o.Answered
	c.Failed += o.Failed
	c.Unanswered += o.Unanswered
	c.Lost += o.Lost
	c.Stray += o.Stray
	for i := range c.Causes {
		c.Causes[i] += o.Causes[i]
	}
	c.WrongStatuses.Merge(o.WrongStatuses)
	c.Messages += o.Messages
	c.BytesSent += o.BytesSent
	c.BytesReceived += o.BytesReceived
}

// WrongShare is the share of replies that were wrong, lost or belong to no request, 0 to
// 1; false if there were none.
func (c Counts) WrongShare() (share float64, ok bool) {
	wrong := c.Failed + c.Stray
	if c.Answered+wrong == 0 {
		return 0, false
	}
	return float64(wrong) / float64(c.Answered+wrong), true
}

// Balance checks the two identities of a whole session: scheduled = sent + unsent
// and sent = answered + failed + unanswered. An error here is a bug of the engine.
func (c Counts) Balance() error {
	if c.Scheduled != c.Sent+c.Unsent {
		return fmt.Errorf("account: scheduled %d != sent %d + unsent %d", c.Scheduled, c.Sent, c.Unsent)
	}
	if c.Sent != c.Answered+c.Failed+c.Unanswered {
		return fmt.Errorf("account: sent %d != answered %d + failed %d + unanswered %d",
			c.Sent, c.Answered, c.Failed, c.Unanswered)
	}
	return nil
}

// Slice is what a part of a stretch did, see Session.Run.
//
// A slice that ends without a drain leaves requests outstanding, and the next
// slice counts their answers. Counts therefore balances over a session (see
// Session.Totals), while within a slice outstanding before + sent = answered +
// failed + unanswered, Unanswered being what is outstanding when the slice ends.
// Answers that come between two slices are read at once (their latency is true)
// and counted in the second.
type Slice struct {
	// Start is when the slice began: for the first one of an open loop, the moment from
	// which its schedule counts. Duration is the time of the worker that took
	// longest, from its first request to its end, the drain included.
	Start    time.Time     `json:"start"`
	Duration time.Duration `json:"duration_ns"`
	// Draining is the part of Duration at its end in which nothing was sent any more.
	Draining time.Duration `json:"draining_ns,omitempty"`
	// Silent is the part of Draining at its end in which no answer came any more.
	Silent time.Duration `json:"silent_ns,omitempty"`
	Counts `json:"counts"`
	Latencies
	// Targets are the parts of the targets that results tell apart (TargetNames); nil where there are not several.
	Targets []TargetSlice `json:"targets,omitempty"`
	// Codes counts answers, right and wrong, by Answer.Code; nil if all were 0.
	Codes map[int]uint64 `json:"codes,omitempty"`
	// Dropped is the part of Unsent that no later slice can send: requests lost with their
	// connection, or due and unsent when a stretch ended.
	Dropped uint64 `json:"dropped,omitempty"`
	// Waited counts the requests of an open loop that had to wait because no
	// connection had room when they were due.
	Waited uint64 `json:"waited,omitempty"`
	// Offset is where in its stretch the slice began, Stage the number of the stage
	// (from 0) it belongs to; a slice never straddles two.
	Offset time.Duration `json:"offset_ns"`
	Stage  int           `json:"stage,omitempty"`
	Connections
	WorkerTime
}

// Latencies are the distributions of a slice, in nanoseconds. The caller owns the histograms.
type Latencies struct {
	// Service is the service time of the right answers: from the write
	// that carried the request to the read that brought the answer.
	Service *hdrhistogram.Histogram `json:"-"`
	// Response is the response time of the right answers of an open loop: from the
	// moment the request was due. Nil in a closed loop.
	Response *hdrhistogram.Histogram `json:"-"`
	// Lag is how late the generator itself was with each request it sent in an open
	// loop: from the moment the request was due and a connection had room, to the
	// write. Nil in a closed loop.
	Lag *hdrhistogram.Histogram `json:"-"`
	// Age is the age of the requests given up at the end of a stretch with a drain:
	// sent and unanswered or, in an open loop, due and unsent. It counts from the
	// moment they were due (closed loop: sent), and is the least that their latency can
	// be. Nil if there were none.
	Age *hdrhistogram.Histogram `json:"-"`
	// FailedLatency is the response time (closed loop: service time) of wrong answers;
	// nil if there were none.
	FailedLatency *hdrhistogram.Histogram `json:"-"`
	// FirstByte is the time to the first byte of answers that are streams (Answer.Begun), counted as Service in a
	// closed loop and as Response in an open one. Gaps are the times between consecutive messages of one stream,
	// MessageAge how old messages were when they came. Each is nil where there was none.
	FirstByte  *hdrhistogram.Histogram `json:"-"`
	Gaps       *hdrhistogram.Histogram `json:"-"`
	MessageAge *hdrhistogram.Histogram `json:"-"`
}

// Connections says what became of the connections of a slice.
type Connections struct {
	// Live is the number of connections open at the end; Stalled those of them that
	// stayed silent for Plan.Timeout with all Plan.Depth requests outstanding, and so
	// can never go on; Reconnects the connections replaced during the slice because
	// they were lost, Renewed those replaced because of Plan.PerConnection or because
	// the target ended them in good order.
	Live       int `json:"live"`
	Stalled    int `json:"stalled,omitempty"`
	Reconnects int `json:"reconnects,omitempty"`
	Renewed    int `json:"renewed,omitempty"`
}

// WorkerTime says how busy the generator was in a slice.
type WorkerTime struct {
	// WorkerCPU is the CPU time of the event loops, over WorkerWall, the wall time
	// they had (duration times workers). Their ratio is how busy the generator was.
	// The portable engine has no threads of its own: it gives the CPU time of the
	// whole process, over the duration times GOMAXPROCS.
	WorkerCPU  time.Duration `json:"worker_cpu_ns"`
	WorkerWall time.Duration `json:"worker_wall_ns"`
	// Spin is the part of WorkerCPU that went into waiting for the next due moment of
	// an open loop.
	Spin time.Duration `json:"spin_ns,omitempty"`
}
