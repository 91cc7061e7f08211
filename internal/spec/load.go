package spec

import (
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// Load is what is loaded, and how.
type Load struct {
	// Target is the URL under load; templates.Port in it is filled per variant: the port that the program is told, or
	// else the one of those that it opens that answers the protocol. Empty: the port that the program opens is found,
	// and what it speaks.
	Target string `json:"target,omitempty"`
	// Path is the path of the target that is found, or takes the place of Target's; empty leaves it.
	Path string `json:"path,omitempty"`
	// Also are further targets, Weights has one for each target. Read, they are Protocol.Requests.
	Also    []string  `json:"-"`
	Weights []int     `json:"-"`
	Plan    load.Plan `json:"plan"`
	// Rate is an open loop as the user words it: a rate, or a ramp. RateHz is what it says, in requests per second over
	// all connections, of a ramp where it begins; 0 is a closed loop.
	Rate   string  `json:"-"`
	RateHz float64 `json:"rate_hz,omitempty"`
	// Duration is the timed load of a run and of a load test.
	Duration time.Duration `json:"duration_ns,omitempty"`
	// WarmUp is the load before it (of programs that hone starts: after each start), which is not counted.
	WarmUp time.Duration `json:"warm_up_ns,omitempty"`
	// WarmUpGiven says that the user gave it: a short comparison takes less of the usual one only.
	WarmUpGiven bool `json:"-"`
	// Slice is the unit of the statistics; 0, in a comparison, finds out what serves best.
	Slice time.Duration `json:"slice_ns,omitempty"`
	// Protocol are the options of the target's scheme. Requests say where its body, feed and lists are until they are
	// read.
	Protocol wire.Options `json:"protocol,omitzero"`
	Requests Requests     `json:"-"`
	// LoadCommand loads instead of hone; without words hone does.
	LoadCommand LoadCommand `json:"load_command,omitzero"`
	// AgentChoice says which agents load instead of this machine; empty: none. Link is how they are reached.
	AgentChoice string `json:"-"`
	Link        Link   `json:"-"`
}

// Link says where the broker is that coordinators and agents meet at.
type Link struct {
	URL, Creds, Token, CA string
	// Listen is where a broker of hone's own listens.
	Listen string
	// KeepGoing goes on without agents that are lost.
	KeepGoing bool
}

// ComparedWarmUp is the usual warm-up of each start of a comparison. A short comparison takes less of it.
const ComparedWarmUp = 150 * time.Millisecond

var loadRows = []Row{
	{Name: "target", Group: OfTarget, For: measured | ForAdvise, Flag: always, Is: First | Completes,
		ForAgent: &ForAgent{},
		Help:     "`URL` to load, such as http://127.0.0.1:{port}/path (default: hone finds it)\nAlso framed://127.0.0.1:{port}, unix:{socket}:/path and others; if no argument of the program has {port}, it is the port that hone finds.",
		To:       func(s *Spec) any { return &s.Target }},
	{Name: "path", Group: OfTarget, For: measured | ForAdvise, Flag: always, Is: First | Completes,
		Help: "`PATH` on the port that hone finds, such as /items?page=2\nIt also replaces the path of --target.",
		To:   func(s *Spec) any { return &s.Path }},
	{Name: "also", Group: OfTarget, For: measured, Flag: always,
		Help: "a further `TARGET` on the same host that shares the requests: a path or a URL (repeatable)",
		To:   func(s *Spec) any { return &s.Also }},
	{Name: "weight", Group: OfTarget, For: loaded, Flag: always,
		Help: "`WEIGHTS` of several targets, in their order: 9,1 (default: equal)",
		To:   func(s *Spec) any { return &s.Weights }},

	{Name: "connections", Short: "c", Group: OfLoad, For: loaded, Flag: always, Is: First, Default: "10",
		ForAgent: &ForAgent{}, Help: "connections held open",
		To: func(s *Spec) any { return &s.Plan.Connections }},
	{Name: "rate", Short: "R", Group: OfLoad, For: loaded, Flag: always, Is: First | OfSchedule, ForAgent: &ForAgent{},
		Help: "open loop: `RATE` in requests per second (1000, 1k, 50/1s)\nIt is the rate of all connections together; hone load also takes a ramp: 100..5000. Latency then counts from the moment a request was due (default: a closed loop).",
		To:   func(s *Spec) any { return &s.Rate }},
	{Name: "duration", Short: "d", Group: OfLoad, For: ForRun | ForLoad, Flag: always, Is: First | OfRun,
		Default: "10s", ForAgent: &ForAgent{Most: "10m"},
		Help: "how long to load\nIn hone load with -n and without -d, the number of requests ends the test.",
		To:   func(s *Spec) any { return &s.Duration }},
	{Name: "depth", Group: OfLoad, For: loaded, Flag: always, Is: First, Default: "1",
		Help: "requests outstanding on each connection",
		To:   func(s *Spec) any { return &s.Plan.Depth }},
	{Name: "warmup", Group: OfLoad, For: loaded, Flag: always, Is: First | OfRun, Default: "500ms",
		By:   map[Commands]string{compared: ComparedWarmUp.String()},
		Help: "load before the first slice of each start, which is not counted\nA comparison of less than 30 s has 5ms of it for each second.",
		To:   func(s *Spec) any { return &s.WarmUp }},
	{Name: "timeout", Group: OfLoad, For: measured, Default: "2s",
		Help: "how long a connection may stay silent with requests outstanding",
		To:   func(s *Spec) any { return &s.Plan.Timeout }},
	{Name: "timeout", Group: OfLoad, For: ForLoad, Flag: always, Is: First, Default: "10s",
		Help: "how long an answer or a connect may take",
		To:   func(s *Spec) any { return &s.Plan.RequestTimeout }},
	{Name: "slice", Group: OfLoad, For: measured | ForAdvise, Is: OfRun, By: map[Commands]string{ForRun: "100ms"},
		Help: "length of one slice, the unit of the statistics\nA comparison finds one: 10ms, longer for slow services and a busy collector.",
		To:   func(s *Spec) any { return &s.Slice }},
	{Name: "load-cmd", Group: OfLoad, For: measured, Flag: always, Is: First,
		Help: "`COMMAND` that makes the load instead of hone, such as 'wrk http://{host}:{port}/'\nIt is executed for each slice, without a shell; {host}, {port}, {socket}, {connections}, {duration} (1s) and {seconds} (1) are filled in.",
		To:   func(s *Spec) any { return &s.LoadCommand.Line }},
	{Name: "load-cmd.ops", Group: OfLoad, For: measured,
		Help: "`REGEX` whose first group is the number of operations in the output of --load-cmd; several matches add up\n(default: that of ab, ghz, hey, redis-benchmark and wrk)",
		To:   func(s *Spec) any { return &s.LoadCommand.Ops }},
	{Name: "load-cmd.metric", Group: OfLoad, For: measured,
		Help: "`COUNTER` of the program that counts the operations of --load-cmd, instead of its output: of its /metrics page,\nsuch as requests_total{code=\"200\"}, or expvar:PATH",
		To:   func(s *Spec) any { return &s.LoadCommand.Metric }},
	{Name: "load-cmd.timeout", Group: OfLoad, For: measured, Default: DefaultLoadCommandLimit.String(),
		Help: "how long one --load-cmd may take beyond its {duration}",
		To:   func(s *Spec) any { return &s.LoadCommand.Limit }},
	{Name: "agents", Group: OfLoad, For: loaded, Flag: always, Is: First | NotInPlans,
		Help: "load from agents (hone agent): `CHOICE` all, n=4, or zone=a,n=2\nThe parts of hone load are in proportion to their capacity.",
		To:   func(s *Spec) any { return &s.AgentChoice }},
	{Name: "agents.broker", Group: OfLoad, For: loaded, Is: NotInPlans, Default: "127.0.0.1:4222",
		Help: "`HOST:PORT` of hone's own broker; agents on other machines need an address that they reach",
		To:   func(s *Spec) any { return &s.Link.Listen }},
	{Name: "agents.nats", Group: OfLoad, For: loaded, Is: NotInPlans,
		Help: "`URL` of the broker where coordinator and agents meet (default: one of hone's own on this machine)",
		To:   func(s *Spec) any { return &s.Link.URL }},
	{Name: "agents.creds", Group: OfLoad, For: loaded, Is: NotInPlans,
		Help: "`FILE` with the credentials of a user of that broker",
		To:   func(s *Spec) any { return &s.Link.Creds }},
	{Name: "agents.token-file", Group: OfLoad, For: loaded, Is: NotInPlans,
		Help: "`FILE` with the token of that broker (default: the user's, see hone agent key)",
		To:   func(s *Spec) any { return &s.Link.Token }},
	{Name: "agents.ca", Group: OfLoad, For: loaded, Is: NotInPlans,
		Help: "`FILE` of certificates to trust instead of the system's, for a broker with TLS",
		To:   func(s *Spec) any { return &s.Link.CA }},
	{Name: "agents.keep-going", Group: OfLoad, For: ForLoad, Is: NotInPlans,
		Help: "go on without agents that are lost, with the results of the others",
		To:   func(s *Spec) any { return &s.Link.KeepGoing }},
}
