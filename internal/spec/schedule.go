package spec

import "time"

// Sending is when a load test sends, and what makes it a failure.
type Sending struct {
	// Number bounds the requests; 0: no bound.
	Number uint64
	// Steps make a staircase of a ramp.
	Steps    int
	Arrivals string
	// Replay is a file of moments.
	Replay string
	Speed  float64
	// FindMax and FailIf are limits.
	FindMax, FailIf []string
	Drain, Interval time.Duration
	// CPUs and Addresses are lists in a word.
	CPUs, Addresses string
	Calibrate       bool
}

var scheduleRows = []Row{
	{Name: "requests", Short: "n", Group: OfLoad, For: ForLoad, Flag: always, Is: First | OfSchedule, Help: "number of requests (default: no limit, -d ends the test)",
		To: func(s *Spec) any { return &s.Number }},
	{Name: "fail-if", Group: OfTest, For: ForRun | ForLoad | ForLoadFile, Flag: always, Is: First | OfSchedule, Help: "exit with 1 if a `CONDITION` holds: 'p99>300ms', 'errors>0.1%' (repeatable)",
		To: func(s *Spec) any { return &s.FailIf }},
	{Name: "find-max", Group: OfTest, For: ForLoad, Flag: always, Is: First | OfSchedule, Help: "search for the highest rate at which a `LIMIT` holds: 'p99<10ms' (repeatable)",
		To: func(s *Spec) any { return &s.FindMax }},
	{Name: "steps", Group: OfLoad, For: ForLoad, Flag: always, Is: OfSchedule, Help: "divide a ramp into this many steps of constant rate",
		To: func(s *Spec) any { return &s.Steps }},
	{Name: "arrivals", Group: OfLoad, For: ForLoad, Is: OfSchedule, Default: "uniform", Help: "how an open loop spreads requests: `KIND` uniform or poisson",
		To: func(s *Spec) any { return &s.Arrivals }},
	{Name: "replay", Group: OfLoad, For: ForLoad, Flag: always, Is: OfSchedule, Help: "open loop that sends requests at the times in `FILE`: seconds or time stamps, one on each line",
		To: func(s *Spec) any { return &s.Sending.Replay }},
	{Name: "replay.speed", Group: OfLoad, For: ForLoad, Is: OfSchedule, Default: "1", Help: "speed of the replay: 2 is twice as fast",
		To: func(s *Spec) any { return &s.Speed }},
	{Name: "connect-over", Group: OfLoad, For: ForLoad, Help: "open the connections spread over this time",
		To: func(s *Spec) any { return &s.Plan.ConnectOver }},
	{Name: "drain", Group: OfLoad, For: ForLoad, Default: "2s", Help: "how long to wait at the end for silent connections",
		To: func(s *Spec) any { return &s.Drain }},
	{Name: "per-connection", Group: OfLoad, For: ForLoad, Help: "requests after which a connection is closed and replaced (default no limit)",
		To: func(s *Spec) any { return &s.Plan.PerConnection }},
	{Name: "workers", Group: OfLoad, For: ForLoad, Help: "event loops (default: one for each two CPUs)",
		To: func(s *Spec) any { return &s.Plan.Workers }},
	{Name: "cpus", Group: OfLoad, For: ForLoad, Help: "`CPUS` to bind the event loops to, such as 1,3 or 4-7 (default none)",
		To: func(s *Spec) any { return &s.CPUs }},
	{Name: "source", Group: OfLoad, For: ForLoad, Help: "local `ADDRESSES` to connect from, in turn: 127.0.0.2-127.0.0.9,10.0.0.1",
		To: func(s *Spec) any { return &s.Addresses }},
	{Name: "interval", Group: OfLoad, For: ForLoad, Help: "length of the slices of the time line (default 1s; in a test of over 2 minutes, a 120th of it)",
		To: func(s *Spec) any { return &s.Interval }},
	{Name: "calibrate", Group: OfTest, For: ForLoad, Flag: always, Help: "measure the generator itself first, against a server that only answers",
		To: func(s *Spec) any { return &s.Calibrate }},
}
