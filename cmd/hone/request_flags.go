package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/accesslog"
	"github.com/gohone/hone/internal/wire/openapi"
	"github.com/gohone/hone/internal/wire/requests"
)

// otherWords are the requests that were read in the words of other tools: a curl command line, a browser's recording, a
// server's log, a description of an API, or steps.
type otherWords struct {
	spec.Requests
	// What was read: at most one of the two.
	one  *requests.Curl
	list *requests.List
	// fit is what an access log says of the load.
	fit *accesslog.Fit
	// steps are those of --sequence, or of hone.yaml.
	steps []wire.Step
}

// readSteps reads --sequence. Without the flag inFile holds, the steps of hone.yaml, unless
// another flag says what the requests are.
func (f *otherWords) readSteps(inFile []wire.Step, depth int) error {
	switch {
	case f.Sequence != "":
		text, err := inputs.Steps.ReadFile(f.Sequence)
		if err != nil {
			return fail.New(fail.Or(fail.BadInput, err), "read steps: %w", err)
		}
		if f.steps, err = config.ReadSteps(f.Sequence, text); err != nil {
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

// given lists the flags of which one may be given. With a log, a description of the API only has its bodies.
func (f *otherWords) given() (names []string) {
	for _, one := range []struct{ name, value string }{{"--curl", f.Curl}, {"--har", f.HAR}, {"--access-log", f.AccessLog}, {"--openapi", f.OpenAPI}, {"--sequence", f.Sequence}} {
		if one.value != "" && (one.name != "--openapi" || f.AccessLog == "") {
			names = append(names, one.name)
		}
	}
	return names
}

// read reads what the flags name, and returns what there is to say of it. feed names a
// file whose columns fill parameters.
func (f *otherWords) read(ctx context.Context) (said []string, err error) {
	names := f.given()
	switch {
	case len(names) > 1:
		return nil, fail.New(fail.BadInput, "%s exclude each other", strings.Join(names, " and ")).WithHint("keep one of them")
	case !slices.Contains([]string{spec.TrafficMix, spec.TrafficOrder, spec.TrafficReplay}, f.Traffic):
		return nil, fail.New(fail.BadInput, "traffic %q: want mix, order or replay", f.Traffic)
	case f.Traffic == spec.TrafficOrder && f.OpenAPI != "" && f.AccessLog == "":
		return f.readOpenAPI()
	case f.Traffic != spec.TrafficMix && f.HAR == "" && f.AccessLog == "":
		return nil, fail.New(fail.BadInput, "traffic %s needs har or access-log; order goes with openapi, too", f.Traffic)
	case len(names) == 0 || f.Sequence != "":
		return nil, nil
	case f.Curl != "":
		return f.readCurl()
	case f.AccessLog != "":
		return f.readAccessLog(ctx)
	case f.OpenAPI != "":
		return f.readOpenAPI()
	}
	return f.readHAR(ctx)
}

func (f *otherWords) readHAR(ctx context.Context) (said []string, err error) {
	file, err := inputs.HAR.Open(f.HAR)
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "--har: %w", err)
	}
	defer file.Close()
	f.list, err = requests.ReadHAR(f.HAR, inputs.Budget{Bytes: inputs.HAR}.Start(ctx, f.HAR).Reader(file), requests.HAROptions{Host: f.HARHost, Methods: upper(f.Methods), Mixed: f.Traffic == spec.TrafficMix})
	if err != nil {
		return nil, err
	}
	return f.list.Summary(f.HAR, "entries"), nil
}

func upper(words []string) (all []string) {
	for _, w := range words {
		all = append(all, strings.ToUpper(strings.TrimSpace(w)))
	}
	return all
}

func (f *otherWords) readCurl() (said []string, err error) {
	sum := int64(0)
	f.one, err = requests.ReadCurl(f.Curl, func(name string) ([]byte, error) {
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

func (f *otherWords) readOpenAPI() ([]string, error) {
	text, err := openapi.ReadFile(f.OpenAPI)
	if err != nil {
		return nil, err
	}
	table, err := readFeed(f.Feed)
	if err != nil {
		return nil, err
	}
	o := openapi.Options{Methods: upper(f.Methods)}
	if table != nil {
		o.Columns = table.Names
	}
	if f.list, err = openapi.Requests(f.OpenAPI, text, o); err != nil {
		return nil, err
	}
	if f.Traffic == spec.TrafficOrder {
		for i := range f.list.Requests {
			f.list.Order = append(f.list.Order, uint32(i))
		}
	}
	return f.list.Summary(f.OpenAPI, "operations"), nil
}

// fill puts what was read into the options of a protocol. The flags for headers win.
func (f *otherWords) fill(o *wire.Options) error {
	o.Steps = f.steps
	switch {
	case f.one != nil && (o.Method != "" || len(o.Body) > 0):
		return fail.New(fail.BadInput, "--curl says the method and the body: leave out --method and --body").WithHint("or write -X and -d into the curl command")
	case f.one != nil:
		o.Method, o.Body, o.Raw = f.one.Method, f.one.Body, true // braces in the command mean nothing here
		o.Headers = requests.MergeHeaders(f.one.Headers, o.Headers)
		o.HTTP2 = o.HTTP2 || f.one.HTTP2
	case f.list != nil:
		if o.Requests, o.Order = f.list.Requests, f.list.Order; f.fit != nil {
			o.Body = nil // it is that of single requests
		}
	}
	return nil
}

// takeRequests reads the requests that run and compare are given in other tools' words.
// They go to the program under load. inFile are the steps of hone.yaml. set is what was given, where a log may say how much
// load there is; nil in a stored run.
func (a *app) takeRequests(f *measureFlags, set *spec.Set, inFile []wire.Step) error {
	s := &f.sources
	s.Requests = f.Requests
	if s.Traffic == spec.TrafficReplay {
		return fail.New(fail.BadInput, "traffic replay is for hone load: a measurement of a program has slices, which no recorded moments fit").
			WithHint("traffic mix or order, and --rate for an open loop")
	}
	said, err := s.read(a.ctx)
	if err != nil {
		return err
	}
	if err := s.readSteps(inFile, f.Plan.Depth); err != nil {
		return err
	}
	switch {
	case s.one != nil:
		said = append(said, fmt.Sprintf("curl command: the request goes to the program that is measured, instead of %s", s.one.Host))
		if s.one.Insecure || s.one.CA != "" || s.one.Socket != "" {
			said = append(said, "curl command: its options for TLS and sockets are left out; hone finds how the program is spoken to")
		}
		if f.Path == "" {
			f.Path = s.one.Path
		}
	case (s.list != nil || s.steps != nil) && f.Path != "":
		return fail.New(fail.BadInput, "--path does not go with %s, whose requests have their own", cmp.Or(strings.Join(s.given(), ""), "the steps of hone.yaml")).WithHint("leave it out")
	case s.list != nil || s.steps != nil:
		f.Path = "/" // instead of the path of a target in hone.yaml
	}
	if s.fit != nil && set != nil {
		said = append(said, s.like(set, &f.Spec)...)
	}
	a.say(f.Quiet, said)
	return nil
}

// takeForLoad reads the requests that hone load is given in other tools' words, and
// completes the targets.
func (a *app) takeForLoad(f *loadFlags, cmd *cobra.Command, targets []string) ([]string, error) {
	s := &f.sources
	s.Requests = f.Requests
	said, err := s.read(a.ctx)
	if err == nil {
		err = s.readSteps(nil, f.Plan.Depth)
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
			said = append(said, fmt.Sprintf("curl command: the request goes to %s instead of %s", targets[0], s.one.Host))
			target = pathOn(targets[0], s.one.Path)
		}
		targets = []string{target}
		tls := &f.Protocol.TLS
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
	case s.list != nil && s.Traffic == spec.TrafficReplay && !spec.Of(cmd.Flags()).Given("warmup"):
		f.WarmUp = 0 // the first requests are those of the recording
	}
	if s.fit != nil {
		said = append(said, s.like(spec.Of(cmd.Flags()), &f.Spec)...)
	}
	a.say(f.Quiet, said)
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
	s := &f.sources
	if s.Traffic != spec.TrafficReplay || s.list == nil {
		return nil
	}
	switch {
	case f.Rate != "" || f.Sending.Replay != "" || len(f.FindMax) > 0:
		return fail.New(fail.BadInput, "traffic replay has its moments from %s: leave out --rate, --replay and --find-max", strings.Join(s.given(), ""))
	case !(f.Speed > 0):
		return fail.New(fail.BadInput, "replay speed is %v, want more than 0", f.Speed)
	}
	f.shape.Replay = make([]time.Duration, len(s.list.Moments))
	for i, at := range s.list.Moments {
		f.shape.Replay[i] = time.Duration(float64(at) / f.Speed)
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
