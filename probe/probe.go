// Package probe lets hone look inside a running Go program: profiles, runtime
// metrics and build information, served on a Unix socket.
//
// hone adds this file to package main of the program it measures (go build
// -overlay), so that the program's source stays as it is. A program may also import
// it by itself:
//
//	import _ "github.com/gohone/hone/probe"
//
// The probe starts only if the environment variable HONE_PROBE_SOCKET names a path. The
// first process opens its socket there. Processes that it starts inherit the variable; each
// of them that has the probe, and so finds a socket at the path, opens PATH.PID with its own
// process ID. So a server that executes itself for its workers has a probe in each of them.
// A socket has mode 0600 and never had a wider one, and stays when its process ends. If it
// cannot be opened, one line on standard error says why and the program goes on.
//
// The protocol is HTTP/1.0 with GET, one request per connection, no percent escapes:
// curl --unix-socket PATH http://probe/ping. Errors are text with a status code.
//
//	/ping                       "hone probe 2", the version of this protocol
//	/buildinfo                  JSON: protocol, pid, go version, module, GOMAXPROCS, CPUs, build info
//	/metrics                    JSON: all of runtime/metrics; ?name=N, repeated, only those.
//	                            Histograms are [from, to, count] of the buckets that have any;
//	                            what JSON cannot say is "-Inf", "+Inf", "NaN"
//	/pprof/cpu?seconds=S&hz=R   CPU profile over S seconds (a fraction is fine, 30 by default,
//	                            3600 at most); 409 if one is being taken; ends early if the
//	                            client closes its side. R ticks per second of CPU time instead
//	                            of 100, 10000 at most: the runtime then writes "cannot
//	                            set CPU profile rate until previous profile has finished" to
//	                            standard error, and keeps R
//	/trace?seconds=S            execution trace over S seconds (1 by default, 60 at most),
//	                            otherwise as a CPU profile; with the samples of the CPU
//	                            profiler in it, unless a profile is being taken
//	/flight/start?seconds=S     starts a flight recorder that keeps at least the last S seconds
//	                            of an execution trace in memory (1 by default, 60 at most);
//	                            404 before Go 1.25, 409 if one is running
//	/flight, /flight/stop       what it has, as an execution trace; the end of it
//	/pprof/NAME?gc=1&debug=0    any other profile of runtime/pprof: heap, allocs, goroutine,
//	                            mutex, block, threadcreate, goroutineleak where the toolchain
//	                            has it; gc=1 collects garbage first
//	/pprof/                     names of all profiles but cpu, one a line
//	/rates?block=N&mutex=M&heap=B&procs=P
//	                            sets runtime.SetBlockProfileRate(N), SetMutexProfileFraction(M),
//	                            MemProfileRate = B and GOMAXPROCS(P), each only if given, and
//	                            answers the mutex fraction, the heap rate and GOMAXPROCS that
//	                            held before. The runtime does not tell the block rate, so it
//	                            cannot be restored
//	/gc                         runs a garbage collection and answers when it is over
//	/heapdump?name=N            collects garbage, then writes debug.WriteHeapDump to the new file N, of mode
//	                            0600, in the directory of the socket. JSON: how long the program
//	                            stood still meanwhile. The runtime hides that a disk is full: the
//	                            dump is then cut off
//	/counters/clear             sets the coverage counters to 0; only in builds with them
//	/counters/write?name=N      writes the coverage counters into the directory N beside the socket
//	/gc/ends                    JSON: when the latest collections ended, the oldest first, in
//	                            nanoseconds since 1970; the runtime remembers 256
//
// What the probe changes in a program: the linker keeps the heap profiler (one sample
// per 512 kB), one goroutine waits for connections (and is in goroutine counts and
// profiles), and a program in which every other goroutine is blocked for good waits
// instead of crashing with "all goroutines are asleep".
package probe

// This file has to compile inside any package main, with language and library of Go
// 1.16. Hence its rules: every identifier starts with honeProbe, imports included
// (a package may not declare a name that one of its files imports), no import that
// registers anything (net/http/pprof), and no predeclared name that programs like to
// redeclare (min, max, any, copy, close, new).
import (
	honeProbeBufio "bufio"
	honeProbeBytes "bytes"
	honeProbeErrors "errors"
	honeProbeIO "io"
	honeProbeMath "math"
	honeProbeNet "net"
	honeProbeOS "os"
	honeProbeFilepath "path/filepath"
	honeProbeRuntime "runtime"
	honeProbeDebug "runtime/debug"
	honeProbeMetrics "runtime/metrics"
	honeProbePprof "runtime/pprof"
	honeProbeTracing "runtime/trace"
	honeProbeStrconv "strconv"
	honeProbeStrings "strings"
	honeProbeTime "time"
)

const (
	honeProbeVersion     = 2
	honeProbeVariable    = "HONE_PROBE_SOCKET"
	honeProbeMaxRequest  = 8 << 10 // bytes of request line and headers; curl sends about 100
	honeProbeMaxClients  = 8       // connections served at once; hone needs two
	honeProbeReadTime    = 5 * honeProbeTime.Second
	honeProbeWriteTime   = 30 * honeProbeTime.Second
	honeProbeMaxSeconds  = 3600
	honeProbeMaxTrace    = 60
	honeProbeMaxHz       = 10000
	honeProbeText        = "text/plain; charset=utf-8"
	honeProbeJSON        = "application/json"
	honeProbeOctetStream = "application/octet-stream"
)

// honeProbeDirectory is where the socket is; written before anything is served.
var honeProbeDirectory string

// honeProbeCounters answers for coverage counters in builds that have them (counters.go); nil in others.
var honeProbeCounters func(honeProbeRequest) *honeProbeReply

// The only init of hone: an injected file has no other way in.
func init() {
	path := honeProbeOS.Getenv(honeProbeVariable)
	if path == "" {
		return
	}
	if err := honeProbeStart(honeProbePlace(path)); err != nil {
		honeProbeOS.Stderr.WriteString("hone probe: " + err.Error() + "\n")
	}
}

// honeProbePlace returns where this process opens its socket: at the path, or beside the
// socket of the process that was first.
func honeProbePlace(path string) string {
	if honeProbeSocketAt(path) {
		return path + "." + honeProbeStrconv.Itoa(honeProbeOS.Getpid())
	}
	return path
}

func honeProbeSocketAt(path string) bool {
	info, err := honeProbeOS.Lstat(path)
	return err == nil && info.Mode()&honeProbeOS.ModeSocket != 0
}

// honeProbeStart binds the socket inside a fresh directory of mode 0700, narrows its
// mode and only then moves it to its path: no umask can make it reachable by others
// in between. All of it happens before main, hence before any os.Chdir.
func honeProbeStart(path string) error {
	switch honeProbeRuntime.GOOS {
	case "windows", "plan9", "js", "wasip1":
		return honeProbeErrors.New("not supported on " + honeProbeRuntime.GOOS)
	}
	// A socket under this process's own number is that of an ended process, and is replaced.
	if _, err := honeProbeOS.Lstat(path); err == nil && !honeProbeSocketAt(path) {
		return honeProbeErrors.New("open " + path + ": it exists already")
	}
	// as short as can be: the path of a socket is limited to 103 bytes
	dir, err := honeProbeOS.MkdirTemp(honeProbeFilepath.Dir(path), ".")
	if err != nil {
		return err
	}
	defer honeProbeOS.Remove(dir)
	if honeProbeDirectory, err = honeProbeFilepath.Abs(honeProbeFilepath.Dir(path)); err != nil {
		return err
	}
	private := honeProbeFilepath.Join(dir, "s")
	listener, err := honeProbeNet.Listen("unix", private)
	if err != nil {
		return err
	}
	err = honeProbeOS.Chmod(private, 0600)
	if err == nil {
		err = honeProbeOS.Rename(private, path)
	}
	if err != nil {
		listener.Close()
		return err
	}
	go honeProbeServe(listener) // ends with the program
	return nil
}

func honeProbeServe(listener honeProbeNet.Listener) {
	places := make(chan bool, honeProbeMaxClients)
	for {
		places <- true
		conn, err := listener.Accept()
		if err != nil {
			<-places
			if honeProbeErrors.Is(err, honeProbeNet.ErrClosed) {
				return
			}
			honeProbeTime.Sleep(100 * honeProbeTime.Millisecond) // out of descriptors: not our fault to make worse
			continue
		}
		go func() {
			defer func() { <-places }()
			honeProbeConn(conn)
		}()
	}
}

// honeProbeReply is an answer before it is written.
type honeProbeReply struct {
	status int
	kind   string
	body   honeProbeBytes.Buffer
}

func honeProbeTextReply(status int, text string) *honeProbeReply {
	reply := &honeProbeReply{status: status, kind: honeProbeText}
	reply.body.WriteString(text + "\n")
	return reply
}

// honeProbeConn serves one connection: one request, one answer.
func honeProbeConn(conn honeProbeNet.Conn) {
	defer conn.Close()
	// A fault of the probe must cost the program no more than this connection.
	defer func() { _ = recover() }()
	conn.SetDeadline(honeProbeTime.Now().Add(honeProbeReadTime))
	request, reply := honeProbeRead(conn)
	if reply == nil {
		conn.SetDeadline(honeProbeTime.Time{})
		reply = honeProbeAnswer(conn, request)
	}
	conn.SetWriteDeadline(honeProbeTime.Now().Add(honeProbeWriteTime))
	head := "HTTP/1.0 " + honeProbeStrconv.Itoa(reply.status) + " " + honeProbeReason(reply.status) +
		"\r\nContent-Type: " + reply.kind +
		"\r\nContent-Length: " + honeProbeStrconv.Itoa(reply.body.Len()) +
		"\r\nConnection: close\r\n\r\n"
	if _, err := conn.Write([]byte(head)); err == nil {
		conn.Write(reply.body.Bytes())
	}
}

func honeProbeReason(status int) string {
	switch status {
	case 200:
		return "OK"
	case 400:
		return "Bad Request"
	case 404:
		return "Not Found"
	case 405:
		return "Method Not Allowed"
	case 409:
		return "Conflict"
	case 431:
		return "Request Header Fields Too Large"
	}
	return "Internal Server Error"
}

// honeProbeRequest is a parsed request line. The headers mean nothing to the probe.
type honeProbeRequest struct {
	path  string
	query []string // key=value, in order
}

// honeProbeGet returns the last value of key, or other if there is none.
func (r honeProbeRequest) honeProbeGet(key, other string) string {
	for _, pair := range r.query {
		if honeProbeStrings.HasPrefix(pair, key+"=") {
			other = pair[len(key)+1:]
		}
	}
	return other
}

// honeProbeRead reads a request up to the empty line after its headers.
func honeProbeRead(from honeProbeIO.Reader) (honeProbeRequest, *honeProbeReply) {
	limited := &honeProbeIO.LimitedReader{R: from, N: honeProbeMaxRequest}
	lines := honeProbeBufio.NewReader(limited)
	first := ""
	for {
		line, err := lines.ReadString('\n')
		if err != nil && limited.N <= 0 {
			return honeProbeRequest{}, honeProbeTextReply(431, "request too large")
		}
		if err != nil {
			return honeProbeRequest{}, honeProbeTextReply(400, "request not whole")
		}
		line = honeProbeStrings.TrimRight(line, "\r\n")
		if first == "" {
			first = line
		}
		if line == "" {
			return honeProbeParse(first)
		}
	}
}

// honeProbeParse parses "GET /path?key=value&key=value HTTP/1.1".
func honeProbeParse(line string) (honeProbeRequest, *honeProbeReply) {
	request := honeProbeRequest{}
	words := honeProbeStrings.Split(line, " ")
	if len(words) != 3 || !honeProbeStrings.HasPrefix(words[2], "HTTP/1.") {
		return request, honeProbeTextReply(400, "want GET /path HTTP/1.0")
	}
	if words[0] != "GET" {
		return request, honeProbeTextReply(405, "want the method GET")
	}
	request.path = words[1]
	if mark := honeProbeStrings.IndexByte(words[1], '?'); mark >= 0 {
		request.path = words[1][:mark]
		request.query = honeProbeStrings.Split(words[1][mark+1:], "&")
	}
	if !honeProbeStrings.HasPrefix(request.path, "/") {
		return request, honeProbeTextReply(400, "want a path that starts with /")
	}
	if honeProbeStrings.IndexByte(words[1], '%') >= 0 {
		return request, honeProbeTextReply(400, "percent escapes are not understood")
	}
	return request, nil
}

func honeProbeAnswer(conn honeProbeNet.Conn, request honeProbeRequest) *honeProbeReply {
	switch request.path {
	case "/ping":
		return honeProbeTextReply(200, "hone probe "+honeProbeStrconv.Itoa(honeProbeVersion))
	case "/buildinfo":
		return honeProbeBuildInfo()
	case "/metrics":
		return honeProbeReadMetrics(request)
	case "/rates":
		return honeProbeRates(request)
	case "/gc":
		honeProbeRuntime.GC()
		return honeProbeTextReply(200, "ok")
	case "/heapdump":
		return honeProbeHeapDump(request)
	case "/gc/ends":
		return honeProbeGCEnds()
	case "/pprof/cpu":
		return honeProbeCPU(conn, request)
	case "/trace":
		return honeProbeTrace(conn, request)
	}
	if honeProbeStrings.HasPrefix(request.path, "/pprof/") {
		return honeProbeProfile(request)
	}
	if honeProbeStrings.HasPrefix(request.path, "/flight") {
		return honeProbeFlightPages(request)
	}
	if honeProbeCounters != nil && honeProbeStrings.HasPrefix(request.path, "/counters/") {
		return honeProbeCounters(request)
	}
	return honeProbeTextReply(404,
		"no such page; there are /ping /buildinfo /metrics /pprof/NAME /trace /flight /rates /gc /gc/ends /heapdump")
}

func honeProbeCPU(conn honeProbeNet.Conn, request honeProbeRequest) *honeProbeReply {
	seconds, fault := request.honeProbeSeconds("30", honeProbeMaxSeconds)
	if fault != nil {
		return fault
	}
	hz, err := honeProbeStrconv.Atoi(request.honeProbeGet("hz", "0"))
	if err != nil || hz < 0 || hz > honeProbeMaxHz {
		return honeProbeTextReply(400, "want hz up to "+honeProbeStrconv.Itoa(honeProbeMaxHz)+", 0 for the usual 100")
	}
	if hz > 0 {
		honeProbeRuntime.SetCPUProfileRate(hz) // stands, though StartCPUProfile asks for 100
	}
	reply := &honeProbeReply{status: 200, kind: honeProbeOctetStream}
	if err := honeProbePprof.StartCPUProfile(&reply.body); err != nil {
		return honeProbeTextReply(409, err.Error()) // "cpu profiling already in use" is its only error
	}
	honeProbeWait(conn, seconds)
	honeProbePprof.StopCPUProfile()
	return reply
}

func honeProbeTrace(conn honeProbeNet.Conn, request honeProbeRequest) *honeProbeReply {
	seconds, fault := request.honeProbeSeconds("1", honeProbeMaxTrace)
	if fault != nil {
		return fault
	}
	reply := &honeProbeReply{status: 200, kind: honeProbeOctetStream}
	if honeProbePprof.StartCPUProfile(honeProbeIO.Discard) == nil { // its samples are events of the trace, too
		defer honeProbePprof.StopCPUProfile()
	}
	if err := honeProbeTracing.Start(&reply.body); err != nil {
		return honeProbeTextReply(409, err.Error()) // "tracing is already enabled"
	}
	honeProbeWait(conn, seconds)
	honeProbeTracing.Stop()
	return reply
}

// honeProbeSeconds reads the duration of a request, or the answer that refuses it.
func (r honeProbeRequest) honeProbeSeconds(other string, most float64) (float64, *honeProbeReply) {
	seconds, err := honeProbeStrconv.ParseFloat(r.honeProbeGet("seconds", other), 64)
	if err != nil || !(seconds > 0 && seconds <= most) {
		return 0, honeProbeTextReply(400, "want seconds over 0, up to "+honeProbeStrconv.Itoa(int(most)))
	}
	return seconds, nil
}

// honeProbeWait waits so long, or until the client closes its side.
func honeProbeWait(conn honeProbeNet.Conn, seconds float64) {
	gone := make(chan bool, 1)
	go func() { // ends when the client closes, or the caller closes conn after the answer
		conn.Read([]byte{0})
		gone <- true
	}()
	timer := honeProbeTime.NewTimer(honeProbeTime.Duration(seconds * float64(honeProbeTime.Second)))
	select {
	case <-timer.C:
	case <-gone:
		timer.Stop()
	}
}

func honeProbeProfile(request honeProbeRequest) *honeProbeReply {
	name, known := request.path[len("/pprof/"):], ""
	for _, p := range honeProbePprof.Profiles() {
		known += p.Name() + "\n"
	}
	if name == "" {
		return honeProbeTextReply(200, honeProbeStrings.TrimSuffix(known, "\n"))
	}
	profile := honeProbePprof.Lookup(name)
	if profile == nil {
		return honeProbeTextReply(404,
			"no such profile; there are cpu "+honeProbeStrings.Join(honeProbeStrings.Fields(known), " "))
	}
	debug, err := honeProbeStrconv.Atoi(request.honeProbeGet("debug", "0"))
	if err != nil || debug < 0 {
		return honeProbeTextReply(400, "want debug=0, 1 or 2")
	}
	switch request.honeProbeGet("gc", "0") {
	case "0":
	case "1":
		honeProbeRuntime.GC()
	default:
		return honeProbeTextReply(400, "want gc=0 or gc=1")
	}
	reply := &honeProbeReply{status: 200, kind: honeProbeOctetStream}
	if debug > 0 {
		reply.kind = honeProbeText
	}
	if err := profile.WriteTo(&reply.body, debug); err != nil {
		return honeProbeTextReply(500, "write profile "+name+": "+err.Error())
	}
	return reply
}

func honeProbeRates(request honeProbeRequest) *honeProbeReply {
	const absent = "-1" // SetMutexProfileFraction(-1) reads and changes nothing
	block, err := honeProbeStrconv.Atoi(request.honeProbeGet("block", absent))
	if err != nil || block < -1 {
		return honeProbeTextReply(400, "want block=N, nanoseconds, 0 is off")
	}
	mutex, err := honeProbeStrconv.Atoi(request.honeProbeGet("mutex", absent))
	if err != nil || mutex < -1 {
		return honeProbeTextReply(400, "want mutex=N, one of N events, 0 is off")
	}
	heap, err := honeProbeStrconv.Atoi(request.honeProbeGet("heap", absent))
	if err != nil || heap < -1 {
		return honeProbeTextReply(400, "want heap=N, bytes to a sample, 1 is every allocation, 0 is off")
	}
	procs, err := honeProbeStrconv.Atoi(request.honeProbeGet("procs", "0")) // GOMAXPROCS(0) reads and changes nothing
	if err != nil || procs < 0 {
		return honeProbeTextReply(400, "want procs=N, 0 for no change")
	}
	if block >= 0 {
		honeProbeRuntime.SetBlockProfileRate(block)
	}
	heapBefore := honeProbeRuntime.MemProfileRate
	if heap >= 0 {
		honeProbeRuntime.MemProfileRate = heap
	}
	reply := &honeProbeReply{status: 200, kind: honeProbeJSON}
	before := honeProbeRuntime.SetMutexProfileFraction(mutex)
	reply.body.WriteString(`{"mutex_before":` + honeProbeStrconv.Itoa(before) + `,"heap_before":` +
		honeProbeStrconv.Itoa(heapBefore) +
		`,"procs_before":` + honeProbeStrconv.Itoa(honeProbeRuntime.GOMAXPROCS(procs)) + "}\n")
	return reply
}

// honeProbeBuildInfo carries debug.BuildInfo as its own text (debug.ParseBuildInfo
// reads it), because the fields differ between releases; String is new in Go 1.18.
func honeProbeBuildInfo() *honeProbeReply {
	module, text := "", ""
	if info, ok := honeProbeDebug.ReadBuildInfo(); ok {
		module = info.Main.Path
		if s, ok := interface{}(info).(interface{ String() string }); ok {
			text = s.String()
		}
	}
	reply := &honeProbeReply{status: 200, kind: honeProbeJSON}
	reply.body.WriteString(`{"protocol":` + honeProbeStrconv.Itoa(honeProbeVersion) +
		`,"pid":` + honeProbeStrconv.Itoa(honeProbeOS.Getpid()) +
		`,"gomaxprocs":` + honeProbeStrconv.Itoa(honeProbeRuntime.GOMAXPROCS(0)) +
		`,"num_cpu":` + honeProbeStrconv.Itoa(honeProbeRuntime.NumCPU()) + `,"go_version":`)
	honeProbeQuote(&reply.body, honeProbeRuntime.Version())
	reply.body.WriteString(`,"module":`)
	honeProbeQuote(&reply.body, module)
	reply.body.WriteString(`,"build":`)
	honeProbeQuote(&reply.body, text)
	reply.body.WriteString("}\n")
	return reply
}

// honeProbeHeapDump writes only beside the socket: no request names a place elsewhere.
func honeProbeHeapDump(request honeProbeRequest) *honeProbeReply {
	name := request.honeProbeGet("name", "")
	if name != honeProbeFilepath.Base(name) {
		return honeProbeTextReply(400, "want name=N, of a new file in the directory of the socket")
	}
	file, err := honeProbeOS.OpenFile(honeProbeFilepath.Join(honeProbeDirectory, name),
		honeProbeOS.O_WRONLY|honeProbeOS.O_CREATE|honeProbeOS.O_EXCL, 0600)
	if err != nil {
		return honeProbeTextReply(500, "write heap dump: "+err.Error())
	}
	honeProbeRuntime.GC()
	began := honeProbeTime.Now()
	honeProbeDebug.WriteHeapDump(file.Fd())
	paused := honeProbeTime.Since(began)
	if err := file.Close(); err != nil {
		return honeProbeTextReply(500, "write heap dump: "+err.Error())
	}
	reply := &honeProbeReply{status: 200, kind: honeProbeJSON}
	reply.body.WriteString(`{"protocol":` + honeProbeStrconv.Itoa(honeProbeVersion) + `,"paused_ns":` +
		honeProbeStrconv.FormatInt(paused.Nanoseconds(), 10) + "}\n")
	return reply
}

// honeProbeGCEnds answers from the runtime's own history, which stops no goroutine.
func honeProbeGCEnds() *honeProbeReply {
	stats := honeProbeDebug.GCStats{}
	honeProbeDebug.ReadGCStats(&stats)
	reply := &honeProbeReply{status: 200, kind: honeProbeJSON}
	reply.body.WriteString(`{"protocol":` + honeProbeStrconv.Itoa(honeProbeVersion) + `,"ends_ns":[`)
	comma := ""
	for i := len(stats.PauseEnd) - 1; i >= 0; i-- {
		reply.body.WriteString(comma + honeProbeStrconv.FormatInt(stats.PauseEnd[i].UnixNano(), 10))
		comma = ","
	}
	reply.body.WriteString("]}\n")
	return reply
}

func honeProbeReadMetrics(request honeProbeRequest) *honeProbeReply {
	var samples []honeProbeMetrics.Sample
	for _, pair := range request.query {
		if honeProbeStrings.HasPrefix(pair, "name=") {
			samples = append(samples, honeProbeMetrics.Sample{Name: pair[len("name="):]})
		}
	}
	if len(samples) == 0 {
		for _, d := range honeProbeMetrics.All() {
			samples = append(samples, honeProbeMetrics.Sample{Name: d.Name})
		}
	}
	honeProbeMetrics.Read(samples)
	reply := &honeProbeReply{status: 200, kind: honeProbeJSON}
	reply.body.WriteString(`{"protocol":` + honeProbeStrconv.Itoa(honeProbeVersion) + `,"metrics":{`)
	comma := ""
	for _, sample := range samples {
		if sample.Value.Kind() == honeProbeMetrics.KindBad {
			continue // this release does not know it
		}
		reply.body.WriteString(comma + "\n")
		honeProbeQuote(&reply.body, sample.Name)
		reply.body.WriteString(":")
		honeProbeMetric(&reply.body, sample.Value)
		comma = ","
	}
	reply.body.WriteString("}}\n")
	return reply
}

func honeProbeMetric(to *honeProbeBytes.Buffer, value honeProbeMetrics.Value) {
	switch value.Kind() {
	case honeProbeMetrics.KindUint64:
		to.WriteString(`{"uint64":` + honeProbeStrconv.FormatUint(value.Uint64(), 10) + "}")
	case honeProbeMetrics.KindFloat64:
		to.WriteString(`{"float64":` + honeProbeFloat(value.Float64()) + "}")
	case honeProbeMetrics.KindFloat64Histogram:
		histogram, comma := value.Float64Histogram(), ""
		to.WriteString(`{"histogram":[`)
		for i, count := range histogram.Counts {
			if count == 0 {
				continue
			}
			to.WriteString(comma + "[" + honeProbeFloat(histogram.Buckets[i]) + "," + honeProbeFloat(histogram.Buckets[i+1]) +
				"," + honeProbeStrconv.FormatUint(count, 10) + "]")
			comma = ","
		}
		to.WriteString("]}")
	default: // a kind from the future
		to.WriteString("{}")
	}
}

// honeProbeFloat writes a number of JSON, or a string where JSON has no number.
func honeProbeFloat(f float64) string {
	s := honeProbeStrconv.FormatFloat(f, 'g', -1, 64)
	if honeProbeMath.IsInf(f, 0) || honeProbeMath.IsNaN(f) {
		return `"` + s + `"`
	}
	return s
}

// honeProbeQuote writes a string of JSON (RFC 8259, section 7).
func honeProbeQuote(to *honeProbeBytes.Buffer, s string) {
	const hex = "0123456789abcdef"
	to.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			to.WriteByte('\\')
			to.WriteRune(r)
		case r < ' ':
			to.WriteString(`\u00` + hex[r>>4:r>>4+1] + hex[r&15:r&15+1])
		default:
			to.WriteRune(r)
		}
	}
	to.WriteByte('"')
}
