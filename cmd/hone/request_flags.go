package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/config"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/inputs"
	"github.com/gohone/hone/internal/printable"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/openapi"
	"github.com/gohone/hone/internal/wire/requests"
)

// requestFlags name requests in the words of other tools: a curl command line, a browser's
// recording, a server's log, a description of an API.
type requestFlags struct {
	curl, har, harHost, accessLog, openAPI string
	traffic                                string
	sequence                               string
	methods                                []string

	// What was read: at most one of the two.
	one  *requests.Curl
	list *requests.List

	// steps are those of --sequence, or of hone.yaml.
	steps []wire.Step
}

// The ways to take the requests of a file.
const (
	trafficMix    = "mix"
	trafficOrder  = "order"
	trafficReplay = "replay"
)

func (f *requestFlags) add(fl *pflag.FlagSet) {
	fl.StringVar(&f.curl, "curl", "", "the request of a curl `COMMAND` line, as browsers copy it (\"copy as cURL\") and people write it")
	fl.StringVar(&f.har, "har", "", "the requests of a browser's recording: a `FILE` .har; without secrets, to the target")
	fl.StringVar(&f.harHost, "har-host", "", "the `HOST` whose requests of the recording are taken (default: that of most)")
	fl.StringVar(&f.accessLog, "access-log", "", "the requests of a server's log: a `FILE` in the common or combined log format, .gz too")
	fl.StringVar(&f.openAPI, "openapi", "", "a request for each operation of an OpenAPI 3 `FILE`, with its examples;\na column of --feed fills the path parameter of its name")
	fl.StringVar(&f.traffic, "traffic", trafficMix, "how the requests of --har and --access-log are sent: `KIND` mix (the most frequent, by weight),\norder (all, one after the other) or replay (the same at their moments; hone load)")
	f.addSequence(fl)
	fl.StringSliceVar(&f.methods, "methods", nil, "`METHODS` to take of a recording, a log or an OpenAPI description (default GET,HEAD: the others may change data)")
}

// addSequence declares the flag for a sequence of requests.
func (f *requestFlags) addSequence(fl *pflag.FlagSet) {
	fl.StringVar(&f.sequence, "sequence", "", "steps that each connection sends one after the other, with values taken from answers: a `FILE` with steps as in hone.yaml")
}

// readSteps reads --sequence. Without the flag inFile holds, the steps of hone.yaml, unless
// another flag says what the requests are.
func (f *requestFlags) readSteps(inFile []wire.Step, depth int) error {
	switch {
	case f.sequence != "":
		text, err := inputs.Steps.ReadFile(f.sequence)
		if err != nil {
			return fail.New(fail.Or(fail.BadInput, err), "read steps: %w", err)
		}
		if f.steps, err = config.ReadSteps(f.sequence, text); err != nil {
			return err
		}
	case len(f.given()) == 0:
		f.steps = inFile
	}
	if len(f.steps) > 0 && depth > 1 {
		return fail.New(fail.BadInput, "--depth %d does not go with steps: each waits for the answer to the one before", depth).WithHint("leave it out, and take more connections: -c")
	}
	return nil
}

// given lists the flags of which one may be given.
func (f *requestFlags) given() (names []string) {
	for _, one := range []struct{ name, value string }{{"--curl", f.curl}, {"--har", f.har}, {"--access-log", f.accessLog}, {"--openapi", f.openAPI}, {"--sequence", f.sequence}} {
		if one.value != "" {
			names = append(names, one.name)
		}
	}
	return names
}

// read reads what the flags name, and returns what there is to say of it. feed names a
// file whose columns fill parameters.
func (f *requestFlags) read(feed string) (said []string, err error) {
	names := f.given()
	switch {
	case len(names) > 1:
		return nil, fail.New(fail.BadInput, "%s exclude each other", strings.Join(names, " and ")).WithHint("keep one of them")
	case !slices.Contains([]string{trafficMix, trafficOrder, trafficReplay}, f.traffic):
		return nil, fail.New(fail.BadInput, "--traffic %q: want mix, order or replay", f.traffic)
	case f.traffic != trafficMix && f.har == "" && f.accessLog == "":
		return nil, fail.New(fail.BadInput, "--traffic %s needs --har or --access-log", f.traffic)
	case len(names) == 0 || f.sequence != "":
		return nil, nil
	case f.curl != "":
		return f.readCurl()
	case f.openAPI != "":
		return f.readOpenAPI(feed)
	}
	name, what := f.har+f.accessLog, "entries"
	bound := inputs.HAR
	if f.har == "" {
		bound = inputs.AccessLog
	}
	file, err := bound.Open(name)
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "%s: %w", names[0], err)
	}
	defer file.Close()
	methods := upper(f.methods)
	if f.har != "" {
		f.list, err = requests.ReadHAR(name, file, requests.HAROptions{Host: f.harHost, Methods: methods})
	} else {
		what = "lines"
		f.list, err = requests.ReadAccessLog(name, file, methods)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case f.traffic == trafficMix:
		f.list.MostUsed()
	case f.traffic == trafficReplay && f.list.Moments == nil:
		return nil, fail.New(fail.BadInput, "%s has no moments to replay", name).WithHint("--traffic order sends its requests one after the other")
	}
	return f.list.Summary(name, what), nil
}

func upper(words []string) (all []string) {
	for _, w := range words {
		all = append(all, strings.ToUpper(strings.TrimSpace(w)))
	}
	return all
}

func (f *requestFlags) readCurl() (said []string, err error) {
	sum := int64(0)
	f.one, err = requests.ReadCurl(f.curl, func(name string) ([]byte, error) {
		text, err := inputs.Body.ReadFile(name)
		if sum += int64(len(text)); err == nil {
			err = inputs.Body.Over("all files of the command together", sum)
		}
		if err != nil {
			return nil, fail.New(fail.Or(fail.BadInput, err), "curl command: @FILE: %w", err)
		}
		return text, nil
	})
	if err != nil {
		return nil, err
	}
	for _, note := range f.one.Notes {
		said = append(said, "curl command: "+note)
	}
	return said, nil
}

func (f *requestFlags) readOpenAPI(feed string) ([]string, error) {
	text, err := openapi.ReadFile(f.openAPI)
	if err != nil {
		return nil, err
	}
	table, err := readFeed(feed)
	if err != nil {
		return nil, err
	}
	o := openapi.Options{Methods: upper(f.methods)}
	if table != nil {
		o.Columns = table.Names
	}
	if f.list, err = openapi.Requests(f.openAPI, text, o); err != nil {
		return nil, err
	}
	return f.list.Summary(f.openAPI, "operations"), nil
}

// fill puts what was read into the options of a protocol. The flags for headers win.
func (f *requestFlags) fill(o *wire.Options) error {
	o.Steps = f.steps
	switch {
	case f.one != nil && (o.Method != "" || len(o.Body) > 0):
		return fail.New(fail.BadInput, "--curl says the method and the body: leave out --method and --body").WithHint("or write -X and -d into the curl command")
	case f.one != nil:
		o.Method, o.Body, o.Raw = f.one.Method, f.one.Body, true // braces in the command mean nothing here
		o.Headers = withHeaders(f.one.Headers, o.Headers)
		o.HTTP2 = o.HTTP2 || f.one.HTTP2
	case f.list != nil:
		o.Requests, o.Order = f.list.Requests, f.list.Order
	}
	return nil
}

// withHeaders are the lines of a request, with those given in place of the same name.
func withHeaders(own, given []string) (all []string) {
	for _, line := range own {
		name, _, _ := strings.Cut(line, ":")
		if !slices.ContainsFunc(given, func(g string) bool {
			other, _, _ := strings.Cut(g, ":")
			return strings.EqualFold(strings.TrimSpace(other), strings.TrimSpace(name))
		}) {
			all = append(all, line)
		}
	}
	return append(all, given...)
}

// takeRequests reads the requests that run and compare are given in other tools' words.
// They go to the program under load. inFile are the steps of hone.yaml.
func (a *app) takeRequests(f *measureFlags, inFile []wire.Step) error {
	s := &f.protocol.sources
	if s.traffic == trafficReplay {
		return fail.New(fail.BadInput, "--traffic replay is for hone load: a measurement of a program has slices, which no recorded moments fit").
			WithHint("--traffic mix or order, and --rate for an open loop")
	}
	said, err := s.read(f.protocol.feed)
	if err != nil {
		return err
	}
	if err := s.readSteps(inFile, f.request.Plan.Depth); err != nil {
		return err
	}
	switch {
	case s.one != nil:
		said = append(said, fmt.Sprintf("curl command: the request goes to the program that is measured, in place of %s", s.one.Host))
		if s.one.Insecure || s.one.CA != "" || s.one.Socket != "" {
			said = append(said, "curl command: its options for TLS and sockets are left out; hone finds how the program is spoken to")
		}
		if f.request.Path == "" {
			f.request.Path = s.one.Path
		}
	case (s.list != nil || s.steps != nil) && f.request.Path != "":
		return fail.New(fail.BadInput, "--path does not go with %s, whose requests have their own", cmp.Or(strings.Join(s.given(), ""), "the steps of hone.yaml")).WithHint("leave it out")
	case s.list != nil || s.steps != nil:
		f.request.Path = "/" // in place of the path of a target in hone.yaml
	}
	a.say(f.quiet, said)
	return nil
}

// takeForLoad reads the requests that hone load is given in other tools' words, and
// completes the targets.
func (a *app) takeForLoad(f *loadFlags, cmd *cobra.Command, targets []string) ([]string, error) {
	s := &f.protocol.sources
	said, err := s.read(f.protocol.feed)
	if err == nil {
		err = s.readSteps(nil, f.request.Plan.Depth)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case s.one != nil && len(targets) > 1:
		return nil, fail.New(fail.BadInput, "--curl goes with one target or none, got %d", len(targets)).WithHint("the URL of the curl command is the target")
	case s.one != nil:
		target := s.one.Target()
		if len(targets) == 1 {
			said = append(said, fmt.Sprintf("curl command: the request goes to %s in place of %s", targets[0], s.one.Host))
			target = pathOn(targets[0], s.one.Path)
		}
		targets = []string{target}
		tls := &f.protocol.options.TLS
		if https := strings.HasPrefix(target, "https:"); https {
			tls.Insecure = tls.Insecure || s.one.Insecure
			if tls.CAs == "" {
				tls.CAs = s.one.CA
			}
		} else if s.one.Insecure || s.one.CA != "" {
			said = append(said, "curl command: its options for TLS are left out: the target is not https://")
		}
	case s.list != nil && len(targets) == 0:
		return nil, fail.New(fail.BadInput, "no target to load: the requests of %s need one", strings.Join(s.given(), "")).
			WithHint("name the host and port that they go to: hone load http://127.0.0.1:8080 %s FILE", strings.Join(s.given(), ""))
	case s.list != nil && s.traffic == trafficReplay && !cmd.Flags().Changed("warmup"):
		f.request.WarmUp = 0 // the first requests are those of the recording
	}
	a.say(f.quiet, said)
	return targets, nil
}

// pathOn puts a path in the place of a target's own.
func pathOn(target, path string) string {
	scheme, rest, found := strings.Cut(target, "://")
	if !found { // unix:PATH:URI
		socket, _, _ := strings.Cut(target, ":/")
		if strings.HasPrefix(target, "unix:/") {
			socket, _, _ = strings.Cut(strings.TrimPrefix(target, "unix:"), ":/")
			socket = "unix:" + socket
		}
		return socket + ":" + path
	}
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		rest = rest[:i]
	}
	return scheme + "://" + rest + path
}

// replayTaken makes the moments of a recording the schedule.
func (f *loadFlags) replayTaken() error {
	s := &f.protocol.sources
	if s.traffic != trafficReplay || s.list == nil {
		return nil
	}
	switch {
	case f.rate != "" || f.replay != "" || len(f.findMax) > 0:
		return fail.New(fail.BadInput, "--traffic replay has its moments from %s: leave out --rate, --replay and --find-max", strings.Join(s.given(), ""))
	case !(f.speed > 0):
		return fail.New(fail.BadInput, "replay speed is %v, want more than 0", f.speed)
	}
	f.shape.Replay = make([]time.Duration, len(s.list.Moments))
	for i, at := range s.list.Moments {
		f.shape.Replay[i] = time.Duration(float64(at) / f.speed)
	}
	return nil
}

// say prints what was taken and what was left out.
func (a *app) say(quiet bool, lines []string) {
	if quiet {
		return
	}
	for _, line := range lines {
		fmt.Fprintln(a.stderr, printable.Line(line))
	}
}
