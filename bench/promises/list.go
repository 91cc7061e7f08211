package promises

// promise is one that hone makes.
type promise struct {
	text  string
	about string // the case that measures it
	// claims are those of the case that answer for it; of several the newest does.
	claims []string
}

const (
	closedAdvise = "`hone advise`, closed half of the corpus: "
	closedTail   = "`hone tail`, closed half of the corpus: "
	closedPairs  = "pairs of versions, closed half of the corpus: "
	closedHeld   = "`hone profile holders`, closed half of the corpus: "
	closedMemory = "`hone profile memory`, closed half of the corpus: "
	closedCheats = "closed half, 15s each: "
)

// all are the promises, in the order of the page.
var all = []promise{
	// how often a verdict is right
	{"alarms on public commits that change nothing", "noop",
		[]string{"hone on commits that change nothing, 15 to 30 s each: false alarms of the deciding measure"}},
	{"of them undecided", "noop", []string{"hone on commits that change nothing: undecided"}},
	{"of them, a change of more than 2 % is excluded", "noop",
		[]string{"hone on commits that change nothing: a change of more than 2 % is excluded"}},
	{"a planted 3 % is found, 15 to 30 s", "noop", []string{"hone: planted 3 % found, 15 to 30 s each"}},
	{"a planted 5 % is found, 15 to 30 s", "noop", []string{"hone: planted 5 % found, 15 to 30 s each"}},
	{"services with themselves: same, or 2 % excluded", "itself",
		[]string{"hone on services with themselves: same, or a change of more than 2 % is excluded"}},
	{"alarms among equal services", "calibrate",
		[]string{"`hone compare`: false alarms among equal variants, in 60 s and in 15 s"}},
	{"alarms among equal services, load from 2 agents", "calibrate",
		[]string{"`hone compare`: false alarms among equal variants, in 60 s and in 15 s, load from 2 agents"}},
	{"services: a planted 1.5 % is found, 60 s", "calibrate", []string{"`hone compare`: planted 1.5 % found, in 60 s"}},
	{"alarms among equal benchmarks", "benchwidth", []string{"`hone bench`: false alarms among equal sides"}},
	{"benchmarks: a planted 1.5 % is found", "benchwidth", []string{"`hone bench`: planted slow-downs of 1.5 % found"}},
	{"intervals hold a long run over link orders", "layouts",
		[]string{"hone: intervals that hold the mean over a long run of link orders"}},
	{"`hone bisect` finds the planted commit", "bisect",
		[]string{"hone bisect, the planted commit found: slower by 2 to 5 %"}},
	{"`hone reach` is right of all of a commit", "reach",
		[]string{"hone reach on public commits with changed functions: all of a commit right"}},
	{"benchmarks left out that execute a change", "reach",
		[]string{"hone bench: benchmarks that it does not measure, and that execute what differs"}},
	{"gates of a pull request within 3 minutes", "pullrequest",
		[]string{"pull requests that change nothing: all gates decided within 3 minutes, builds included"}},
	{"`hone track`: a step is confirmed by its two ends", "track",
		[]string{"steps that a direct comparison of their two ends confirms"}},
	{"`hone history`: change points of otava-test-data", "changepoints",
		[]string{"change points of `hone history` in the patterns of otava-test-data without periods, all"}},
	{"cheats are refused or named", "cheats", []string{closedCheats +
		"changes that only look faster: refused, or named in the first sentence, of those decided"}},
	{"changes that only look faster, and pass", "cheats", []string{closedCheats + "of them pass a gate `cpu<-1%` or `time<-1%`",
		"changes that only look faster, 15s each: plainly faster"}},
	{"honest gains are accepted", "cheats", []string{closedCheats + "honest changes: plainly faster, of those decided",
		"honest changes, 15s each: plainly faster"}},
	// how often a finding is right
	{"`hone advise`: the defect comes first", "insight", []string{closedAdvise + "the defect is the first finding"}},
	{"near misses that are called a defect", "insight", []string{closedAdvise + "near misses that are called a defect"}},
	{"the predicted gain is right within 30 %", "insight",
		[]string{closedAdvise + "the predicted gain is within 30 % of the measured one"}},
	{"`hone tail`: the first cause is right", "insight", []string{closedTail + "the first cause is right, place and category"}},
	{"`hone compare`: the first why names the cause", "insight",
		[]string{closedPairs + "a difference or growth is found, and the first line of why names its cause"}},
	{"what disturbs a service is named first", "disturbed", []string{"disturbed services: what disturbs is named first"}},
	{"who holds memory is named", "holders", []string{closedHeld + "the first holder is the right one"}},
	{"the account of memory adds up within 3 %", "account",
		[]string{closedMemory + "the parts add up to the resident set, within 3 %"}},
	{"the compiler's decision is named", "compiler", []string{
		"`hone bench`, pairs of the closed half: a line names the decision of the compiler, with its function or line"}},
	{"what B keeps is shown", "growth",
		[]string{"`hone compare`, closed half of the kinds: it shows what B keeps, in the right measure"}},
	{"`hone cover`: one load holds 100 %", "cover",
		[]string{"`hone cover`, closed half of the services: the interval of two profiles of one load holds 100"}},
	{"a slow statement is named", "sql", []string{
		"`hone advise`, closed half of the services with a database: the defect is named, kind, statement and line"}},
	{"collector's CPU that goes, over what was predicted", "blame", []string{"GC blame on a planted allocator: collector CPU " +
		"per request that `profile blame` says will go with it, over what went when it was fixed"}},
	// what the load generator costs: its CPU time over the peer's
	{"HTTP, CPU over wrk's; 16, 100, 1,000 connections", "http", []string{"`hone load`, CPU per HTTP request against wrk, start " +
		"of the program included; net/http, then a server that only answers; 16, 100, 1,000 connections"}},
	{"gRPC, CPU over ghz's; 16, 100, 1,000 streams", "grpc", []string{"`hone load`, CPU per unary gRPC call against ghz 0.121.0, " +
		"grpc-go's helloworld as the server, one connection; 16, 100, 1,000 streams"}},
	{"WebSocket, CPU over k6's; 16, 100, 1,000", "websocket", []string{"`hone load`, CPU per echo over WebSocket against k6 " +
		"0.57.0, gorilla's server; 16, 100, 1,000 connections"}},
	{"Redis, CPU over redis-benchmark's; 16, 100, 1,000", "redis", []string{"`hone load`, CPU per command against " +
		"redis-benchmark, Redis as the server; 16, 100, 1,000 connections"}},
	{"open loop of 20,000/s is sent in time", "openloop", []string{"20,000 requests/s for 10 s, open loop, 10 runs"}},
	{"frozen server: p99 over the truth", "freeze", []string{"server frozen for 1 s of 10 s at 1,000/s: p99 that hone reports " +
		"against the truth"}},
	{"memory of 10 minutes at full rate", "soak", []string{"10 minutes at full rate (178,000 requests/s): resident memory"}},
	{"framed TCP, CPU over a bare C client's", "engine", []string{"load engine against a bare C epoll client, CPU per request, " +
		"depth 1"}},
	{"memory of a connection, of 10,000; HTTP, TLS, WebSocket", "held", []string{"memory of `hone load` for each of 10,000 " +
		"connections: HTTP; HTTP over TLS; WebSocket"}},
	{"two agents over one", "scaleout", []string{"load from agents: two over one; CPU of the coordinator for each agent; merging " +
		"100 recordings of 60 s"}},
	// what the rest costs
	{"recording metrics each second", "metricscost",
		[]string{"recording metrics: CPU time that scraping every second takes from a framed server"}},
	{"`hone profile top` of 100,000 stacks", "bigprofile", []string{"`hone profile top` of 100,000 stacks (7.2 MB gzipped), " +
		"beside `go tool pprof -top`"}},
	{"the probe, CPU per request", "overhead",
		[]string{"the probe while nothing is captured, CPU per request with it against without"}},
	// the reference services
	{"framed `reactor`: CPU of the best Go peer over it", "sidebyside", []string{"framed `reactor` beside its peers, CPU per " +
		"answer at depths 1, 16, 256, 15 rounds: best Go peer (gnet) over the reactor"}},
	{"memory of an idle TLS connection", "sidebyside", []string{"resident memory of an idle TLS connection, 1,000 of them"}},
	{"visitor counter: published changes go the same way", "headlines",
		[]string{"Visitor counter: published changes that go the same way here"}},
	// what hone survives
	{"runs that a crash loses", "robust", []string{"what hone does wrong: crash"}},
	{"hostile inputs that do harm", "robust", []string{"what hone does wrong: hostile"}},
	{"runs that leave a process", "robust", []string{"what hone does wrong: orphans"}},
}
