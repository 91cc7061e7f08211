package spec

import (
	"fmt"
	"strconv"
)

// Requests say what is sent, in the words of other tools and by names of files.
type Requests struct {
	// Body is text, @FILE or hex:BYTES; Feed is a file.
	Body, Feed string
	// Of these one may be given.
	Curl, HAR, AccessLog, OpenAPI, Sequence string
	HARHost                                 string
	// LogService is the service whose spans are taken, LogFormat what the columns of AccessLog mean.
	LogService, LogFormat string
	// Traffic is how the requests of HAR and AccessLog are sent.
	Traffic string
	Methods []string
	// Length is the right length of an answer; not given: any.
	Length Length
	// ExpectHex are bytes of a right answer of tcp://.
	ExpectHex string
}

// The ways to take the requests of a file.
const (
	TrafficMix    = "mix"
	TrafficOrder  = "order"
	TrafficReplay = "replay"
)

// Length is a number of bytes that may not be given.
type Length struct{ Bytes *int64 }

// String implements pflag.Value.
func (l *Length) String() string {
	if l.Bytes == nil {
		return ""
	}
	return fmt.Sprint(*l.Bytes)
}

// Type implements pflag.Value.
func (*Length) Type() string { return "bytes" }

// Set implements pflag.Value.
func (l *Length) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	l.Bytes = &n
	return err
}

var requestRows = []Row{
	{Name: "header", Short: "H", Group: OfTarget, Schemes: messagesSchemes, For: loaded | ForAdvise, Flag: always,
		Is: First | Completes, Help: "HTTP `HEADER`, 'Name: value' (repeatable)",
		To: func(s *Spec) any { return &s.Protocol.Headers }},
	{Name: "method", Short: "m", Group: OfTarget, Schemes: webSchemes, For: loaded, Flag: always, Is: First,
		Help: "HTTP `METHOD` (default GET, or POST with a body)",
		To:   func(s *Spec) any { return &s.Protocol.Method }},
	{Name: "body", Group: OfTarget, For: loaded | ForAdvise, Flag: always, Is: First | Completes,
		Help: "request `BODY`: text, @FILE, or hex:BYTES\nOf tcp:// it is the whole frame, of grpc:// the JSON of the message.",
		To:   func(s *Spec) any { return &s.Requests.Body }},
	{Name: "feed", Group: OfTarget, Schemes: textsSchemes, For: loaded | ForAdvise, Flag: always, Is: Completes,
		Help: "`FILE` (.csv or .jsonl); its rows fill {column} in URL, headers and body",
		To:   func(s *Spec) any { return &s.Requests.Feed }},
	{Name: "curl", Group: OfTarget, For: loaded | ForAdvise, Flag: always, Is: First | Completes,
		Help: "send the request of a curl `COMMAND`, as browsers copy it",
		To:   func(s *Spec) any { return &s.Requests.Curl }},
	{Name: "sequence", Group: OfTarget, For: loaded | ForAdvise, Flag: always, Is: Completes,
		Help: "`FILE` with steps: each connection sends them one after the other\nTo log in once on each connection, and then send JSON with the token of the answer:\n  steps:\n    - {request: POST /login, body: '{\"user\": \"ann\"}', once: true, take: {token: json token}}\n    - {request: POST /items, headers: [\"Authorization: Bearer {token}\"], body: '{\"name\": \"shoe\"}'}\ndocs/hone-yaml.md says what else a step has.",
		To:   func(s *Spec) any { return &s.Requests.Sequence }},
	{Name: "har", Group: OfTarget, For: loaded | ForAdvise, Flag: ForLoad, Is: Completes,
		Help: "send the requests of a browser's recording (`FILE` .har) to the target, without their secrets",
		To:   func(s *Spec) any { return &s.Requests.HAR }},
	{Name: "har.host", Group: OfTarget, For: loaded | ForAdvise, Is: Completes,
		Help: "take the requests to this `HOST` from the recording (default: the host with most requests)",
		To:   func(s *Spec) any { return &s.Requests.HARHost }},
	{Name: "access-log", Group: OfTarget, For: loaded | ForAdvise, Flag: always, Is: Completes,
		Help: "a load like that of a server's log: `FILE` of Apache, nginx, Caddy, Traefik, JSON with method and path, or spans, plain or .gz\nIt has the log's requests, and its rate and concurrency unless -c or --rate is given. A quoted pattern, 'access.log*', takes all parts of a rotated log. --body or --openapi gives the bodies, which are in no log; {fill} in --body stands for text that makes them as long as those of the log.",
		To:   func(s *Spec) any { return &s.Requests.AccessLog }},
	{Name: "access-log.service", Group: OfTarget, For: loaded | ForAdvise, Is: Completes,
		Help: "the `SERVICE` whose requests are taken, where the log has spans (default: that of the first request)",
		To:   func(s *Spec) any { return &s.Requests.LogService }},
	{Name: "log.format", Group: OfTarget, For: loaded | ForAdvise, Is: Completes,
		Help: "what the columns of the log mean: a `FORMAT` in nginx's notation ($variables and literal text) or Apache's, or a known one:\ncommon, combined, traefik, envoy, istio, gin, chi, haproxy (default: the known one that the lines are in). $duration_ms and $duration_us are durations with their unit; a variable that hone does not know is a column that is skipped.",
		To:   func(s *Spec) any { return &s.Requests.LogFormat }},
	{Name: "openapi", Group: OfTarget, For: loaded | ForAdvise, Flag: ForLoad, Is: Completes,
		Help: "send a request for each operation of an OpenAPI 3 `FILE`, with its examples\nA column of --feed fills the path parameter of its name.",
		To:   func(s *Spec) any { return &s.Requests.OpenAPI }},
	{Name: "traffic", Group: OfTarget, For: loaded | ForAdvise, Is: Completes, Default: TrafficMix,
		Help: "how to send the requests of a recording or a log: `KIND` mix (stretches of it in random order),\norder (all, from the first) or replay (all, at their recorded times; hone load)",
		To:   func(s *Spec) any { return &s.Requests.Traffic }},
	{Name: "methods", Group: OfTarget, For: loaded | ForAdvise, Is: Completes | Commas,
		Help: "`METHODS` to take from a recording, a log or an OpenAPI description (default GET,HEAD, since others may change data)",
		To:   func(s *Spec) any { return &s.Requests.Methods }},
	{Name: "raw", Group: OfTarget, For: loaded,
		Help: "send braces as they are\nWithout it, in URL, headers and body {n} is the number of the request ({n:1000}: modulo 1000), {rand:1000} a random number below 1000, and {conn} the number of the connection; another {name} is refused.",
		To:   func(s *Spec) any { return &s.Protocol.Raw }},
	{Name: "expect-status", Group: OfTarget, For: loaded, Flag: ForLoad, Is: First | Commas,
		Help: "right `STATUSES`: 200,3xx (default below 400); for gRPC OK,NOT_FOUND",
		To:   func(s *Spec) any { return &s.Protocol.Expect.Status }},
	{Name: "expect-body", Group: OfTarget, Schemes: textsSchemes, For: loaded | ForAdvise, Flag: ForLoad,
		Is: First | Completes, Help: "`TEXT` that a right HTTP body contains",
		To: func(s *Spec) any { return &s.Protocol.Expect.Body }},
	{Name: "expect-json", Group: OfTarget, Schemes: textsSchemes, For: loaded | ForAdvise, Flag: ForLoad, Is: Completes,
		Help: "what a right JSON body holds: `PATH` or PATH=VALUE, such as user.name=Ann",
		To:   func(s *Spec) any { return &s.Protocol.Expect.JSON }},
	{Name: "expect-length", Group: OfTarget, For: loaded, Flag: ForLoad,
		Help: "right length in `BYTES` of an HTTP body, or of a tcp:// answer's whole frame",
		To:   func(s *Spec) any { return &s.Requests.Length }},
}
