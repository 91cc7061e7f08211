package read

import (
	"context"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/accesslog"
	"github.com/gohone/hone/internal/wire/openapi"
	"github.com/gohone/hone/internal/wire/requests"
)

// Requests are what was read of the requests that are asked for in the words of other tools: a curl command line, a
// browser's recording, a server's log, a description of an API, or steps.
type Requests struct {
	*spec.Requests
	// What was read: at most one of the three. sequence is that of --sequence, or of hone.yaml.
	curl     *requests.Curl
	list     *requests.List
	sequence []wire.Request
	// Fit is what an access log says of the load; nil without one.
	Fit *accesslog.Fit
}

// readSteps reads --sequence. Without the flag inFile holds, the steps of hone.yaml, unless
// another flag says what the requests are.
func (f *Requests) readSteps(inFile []wire.Request, depth int) error {
	switch {
	case f.Sequence != "":
		text, err := inputs.Steps.ReadFile(f.Sequence)
		if err != nil {
			return fail.New(fail.Or(fail.BadInput, err), "read steps: %w", err)
		}
		if f.sequence, err = config.ReadSteps(f.Sequence, text); err != nil {
			return err
		}
	case len(f.given()) == 0:
		f.sequence = inFile
	}
	if len(f.sequence) > 0 && depth > 1 {
		return fail.New(fail.BadInput, "--depth %d does not go with steps: each waits for the answer to the one before",
			depth).WithHint("leave it out, and take more connections: -c")
	}
	return nil
}

// given lists the flags of which one may be given. With a log, a description of the API only has its bodies.
func (f *Requests) given() (names []string) {
	for _, one := range []struct{ name, value string }{{"--curl", f.Curl}, {"--har", f.HAR},
		{"--access-log", f.AccessLog}, {"--openapi", f.OpenAPI}, {"--sequence", f.Sequence}} {
		if one.value != "" && (one.name != "--openapi" || f.AccessLog == "") {
			names = append(names, one.name)
		}
	}
	return names
}

// read reads what the flags name, and returns what there is to say of it. feed names a
// file whose columns fill parameters.
func (f *Requests) read(ctx context.Context) (said []string, err error) {
	names := f.given()
	switch {
	case len(names) > 1:
		return nil, fail.New(fail.BadInput, "%s exclude each other",
			strings.Join(names, " and ")).WithHint("keep one of them")
	case !slices.Contains([]string{spec.TrafficMix, spec.TrafficOrder, spec.TrafficReplay}, f.Traffic):
		return nil, fail.New(fail.BadInput, "traffic %q: want mix, order or replay", f.Traffic)
	case f.Traffic == spec.TrafficOrder && f.OpenAPI != "" && f.AccessLog == "":
		return f.readOpenAPI()
	case f.Traffic != spec.TrafficMix && f.HAR == "" && f.AccessLog == "":
		return nil, fail.New(fail.BadInput, "traffic %s needs har or access-log; order goes with openapi, too",
			f.Traffic)
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

func (f *Requests) readHAR(ctx context.Context) (said []string, err error) {
	file, err := inputs.HAR.Open(f.HAR)
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "--har: %w", err)
	}
	defer file.Close()
	f.list, err = requests.ReadHAR(f.HAR, inputs.Budget{Bytes: inputs.HAR}.Start(ctx, f.HAR).Reader(file),
		requests.HAROptions{Host: f.HARHost, Methods: upper(f.Methods), Mixed: f.Traffic == spec.TrafficMix})
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

func (f *Requests) readCurl() (said []string, err error) {
	sum := int64(0)
	f.curl, err = requests.ReadCurl(f.Curl, func(name string) ([]byte, error) {
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
	for _, note := range f.curl.Notes {
		said = append(said, "curl command: "+note)
	}
	return said, nil
}

func (f *Requests) readOpenAPI() ([]string, error) {
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
func (f *Requests) fill(o *wire.Options) error {
	switch {
	case len(f.sequence) > 0:
		o.Requests, o.Sequence = f.sequence, true
	case f.curl != nil && (o.Method != "" || len(o.Body) > 0):
		return fail.New(fail.BadInput,
			"--curl says the method and the body: leave out --method and --body").WithHint("or write -X and -d into the curl command")
	case f.curl != nil:
		o.Method, o.Body, o.Raw = f.curl.Method, f.curl.Body, true // braces in the command mean nothing here
		o.Headers = wire.MergeHeaders(f.curl.Headers, o.Headers)
		o.HTTP2 = o.HTTP2 || f.curl.HTTP2
	case f.list != nil:
		if o.Requests, o.Order = f.list.Requests, f.list.Order; f.Fit != nil {
			o.Body = nil // it is that of single requests
		}
	}
	return nil
}
