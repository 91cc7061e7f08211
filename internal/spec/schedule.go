package spec

import (
	"net/netip"
	"time"

	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/load"
)

// Sending is when a load test sends, and how.
type Sending struct {
	// Schedule is what Load.Rate, Load.Duration and the fields up to Moments come to.
	Schedule load.Schedule `json:"schedule"`
	// Number bounds the requests; 0: no bound.
	Number uint64 `json:"-"`
	// ToHz is the rate at the end of a ramp, Steps make a staircase of it; 0 or 1 a straight line.
	ToHz  float64 `json:"-"`
	Steps int     `json:"-"`
	// Arrivals is uniform or poisson, which draws the arrivals of an open loop from Test.Seed.
	Arrivals string `json:"-"`
	// Replay is a file of moments, Speed that of their replay. Moments are a recorded schedule, which excludes a rate.
	Replay  string          `json:"-"`
	Speed   float64         `json:"-"`
	Moments []time.Duration `json:"-"`
	// FindMax are the limits of a search for the highest rate; none: there is no search.
	FindMax      []limit.Threshold `json:"-"`
	FindMaxWords []string          `json:"-"`
	// Drain is how long to wait at the end for connections that stay silent with requests outstanding.
	Drain time.Duration `json:"drain_ns"`
	// Interval is the length of the slices of the time line; 0 means a second, or more in a long test.
	Interval time.Duration `json:"interval_ns"`
	// CPUWords and SourceWords are Plan.CPUs and Sources, each list in a word.
	CPUWords    string `json:"-"`
	SourceWords string `json:"-"`
	// Sources are the local addresses to connect from, in turn; empty leaves it to the system.
	Sources []netip.Addr `json:"-"`
	// CalibrateFirst measures the generator itself first.
	CalibrateFirst bool `json:"-"`
}

var scheduleRows = []Row{
	{Name: "requests", Short: "n", Group: OfLoad, For: ForLoad, Flag: always, Is: First | OfSchedule,
		Help: "number of requests (default: no limit, -d ends the test)",
		To:   func(s *Spec) any { return &s.Number }},
	{Name: "fail-if", Group: OfTest, For: ForRun | ForLoad | ForLoadFile, Flag: always, Is: First | OfSchedule,
		Help: "exit with 1 if a `CONDITION` holds: 'p99>300ms', 'errors>0.1%' (repeatable)",
		To:   func(s *Spec) any { return &s.FailIfWords }},
	{Name: "find-max", Group: OfTest, For: ForLoad, Flag: always, Is: First | OfSchedule,
		Help: "search for the highest rate at which a `LIMIT` holds: 'p99<10ms' (repeatable)",
		To:   func(s *Spec) any { return &s.FindMaxWords }},
	{Name: "steps", Group: OfLoad, For: ForLoad, Flag: always, Is: OfSchedule,
		Help: "divide a ramp into this many steps of constant rate",
		To:   func(s *Spec) any { return &s.Steps }},
	{Name: "arrivals", Group: OfLoad, For: ForLoad, Is: OfSchedule, Default: "uniform",
		Help: "how an open loop spreads requests: `KIND` uniform or poisson",
		To:   func(s *Spec) any { return &s.Arrivals }},
	{Name: "replay", Group: OfLoad, For: ForLoad, Flag: always, Is: OfSchedule,
		Help: "open loop that sends requests at the times in `FILE`: seconds or time stamps, one on each line",
		To:   func(s *Spec) any { return &s.Sending.Replay }},
	{Name: "replay.speed", Group: OfLoad, For: ForLoad, Is: OfSchedule, Default: "1",
		Help: "speed of the replay: 2 is twice as fast",
		To:   func(s *Spec) any { return &s.Speed }},
	{Name: "connect-over", Group: OfLoad, For: ForLoad, Help: "open the connections spread over this time",
		To: func(s *Spec) any { return &s.Plan.ConnectOver }},
	{Name: "drain", Group: OfLoad, For: ForLoad, Default: "2s",
		Help: "how long to wait at the end for silent connections",
		To:   func(s *Spec) any { return &s.Drain }},
	{Name: "per-connection", Group: OfLoad, For: ForLoad,
		Help: "requests after which a connection is closed and replaced (default no limit)",
		To:   func(s *Spec) any { return &s.Plan.PerConnection }},
	{Name: "workers", Group: OfLoad, For: ForLoad, Help: "event loops (default: one for each two CPUs)",
		To: func(s *Spec) any { return &s.Plan.Workers }},
	{Name: "cpus", Group: OfLoad, For: ForLoad,
		Help: "`CPUS` to bind the event loops to, such as 1,3 or 4-7 (default none)",
		To:   func(s *Spec) any { return &s.CPUWords }},
	{Name: "source", Group: OfLoad, For: ForLoad,
		Help: "local `ADDRESSES` to connect from, in turn: 127.0.0.2-127.0.0.9,10.0.0.1",
		To:   func(s *Spec) any { return &s.SourceWords }},
	{Name: "interval", Group: OfLoad, For: ForLoad,
		Help: "length of the slices of the time line (default 1s; in a test of over 2 minutes, a 120th of it)",
		To:   func(s *Spec) any { return &s.Interval }},
	{Name: "calibrate", Group: OfTest, For: ForLoad, Flag: always,
		Help: "measure the generator itself first, against a server that only answers",
		To:   func(s *Spec) any { return &s.CalibrateFirst }},
}
