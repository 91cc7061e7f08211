package http2

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/grpctypes"
	"github.com/gohone/hone/internal/wire/httpmsg"
	"github.com/gohone/hone/load"
)

// GRPC is gRPC over HTTP/2 with prior knowledge. The path of the target is the method. A call is a request, with all of
// the messages that it sends; it is right when its status is OK and, of a method that answers one message, one came.
// The depth is the number of calls at a time on each connection.
var GRPC = &wire.Scheme{
	Name:    "grpc",
	Doc:     "gRPC: calls of the method that is the path; the types come from the server (reflection), --set grpc.proto or --set grpc.protoset",
	Example: grpcExample,
	New:     newGRPC,
}

// GRPCS is gRPC over TLS.
var GRPCS = &wire.Scheme{
	Name:    "grpcs",
	Doc:     "gRPC over TLS",
	Example: "grpcs://127.0.0.1:443/helloworld.Greeter/SayHello",
	Port:    "443",
	New:     newGRPC,
}

const grpcExample = "grpc://127.0.0.1:50051/helloworld.Greeter/SayHello"

// maxGRPCFeed bounds the messages of a feed, which are encoded once for each row.
const maxGRPCFeed = 256 << 20

// grpcProtocol is HTTP/2 with requests that are complete when the types of the method are known.
type grpcProtocol struct {
	*protocol
	path      string
	authority string
	options   wire.Options
	ready     bool // the messages are encoded
	blind     bool // the types are not known
	largest   int  // bytes of the largest message, with its prefix
}

// newGRPC builds calls of the method that is the path of u.
func newGRPC(u *url.URL, o wire.Options) (load.Protocol, error) {
	if err := o.Feed.Validate(); err != nil {
		return nil, err
	}
	if err := o.CheckPlaces("the message", string(o.Body)); err != nil {
		return nil, err
	}
	var err error
	if o.Feed, err = o.Drawn(string(o.Body)); err != nil {
		return nil, err
	}
	path := cmp.Or(u.Path, "/")
	if u.RawQuery != "" || path != "/" && !grpcPath.MatchString(path) {
		return nil, fail.New(fail.BadInput, "%q is not a method of gRPC", u.RequestURI()).WithHint("write it like %s",
			grpcExample)
	}
	call, err := newGRPCCall(o.Expect, o.GRPC.Deadline)
	if err != nil {
		return nil, err
	}
	p := &grpcProtocol{
		protocol: &protocol{call: call, streams: o.Streams},
		path:     path, authority: httpmsg.HostHeader(u), options: o,
	}
	if err := p.requestsFor(u); err != nil {
		return nil, err
	}
	if o.GRPC.EachMessage {
		if err := p.checkEach(); err != nil {
			return nil, err
		}
	}
	if types, err := TypesOf(o.GRPC); err != nil {
		return nil, err
	} else if types != nil {
		return p, p.use(types)
	}
	return p, nil
}

// grpcPath: names of packages, services and methods are identifiers (Protocol Buffers, language specification).
var grpcPath = regexp.MustCompile(`^/([A-Za-z_][A-Za-z0-9_]*\.)*[A-Za-z_][A-Za-z0-9_]*/[A-Za-z_][A-Za-z0-9_]*$`)

// requestsFor builds the head of the calls.
func (p *grpcProtocol) requestsFor(u *url.URL) error {
	o := p.options
	o.Body = nil
	o.Headers = append([]string{"te: trailers", "content-type: application/grpc"}, o.Headers...)
	if d := o.GRPC.Deadline; d > 0 {
		o.Headers = append(o.Headers, "grpc-timeout: "+grpcTimeout(d))
	}
	target := *u
	target.Scheme = "http"
	if u.Scheme == "grpcs" {
		target.Scheme = "https"
	}
	o.Method, o.Expect = "POST", wire.Expect{} // calls have checks of their own
	var err error
	p.mix, p.checks, p.requests, err = httpmsg.Requests(&target, o, newCall)
	return err
}

// newCall builds the head of a call, without its messages.
func newCall(u *url.URL, o wire.Options) (r *request, numbered bool, err error) {
	if numbered, err = httpmsg.Check(u, o); err != nil {
		return nil, false, err
	}
	fields, err := httpmsg.Fields(u, o)
	if err != nil {
		return nil, false, err
	}
	if o.Feed == nil && !slices.ContainsFunc(fields, func(f httpmsg.Field) bool { return !f.Value.Fixed() }) {
		r, err = newFixedRequest(fields, grpctypes.AppendPrefix(nil, 0))
		return r, numbered, err
	}
	return &request{fill: newFill(fields, nil, false)}, numbered, nil
}

// grpcTimeout is a duration in at most eight digits and a unit (gRPC over HTTP/2, Timeout).
func grpcTimeout(d time.Duration) string {
	for _, unit := range []struct {
		of   time.Duration
		name string
	}{{time.Nanosecond, "n"}, {time.Microsecond, "u"}, {time.Millisecond, "m"}, {time.Second, "S"},
		{time.Minute, "M"}} {
		if n := (d + unit.of - 1) / unit.of; n < 1e8 {
			return strconv.FormatInt(int64(n), 10) + unit.name
		}
	}
	return strconv.FormatInt(int64(d/time.Hour), 10) + "H"
}

// TypesOf are those of the files that are named; nil where none is.
func TypesOf(c wire.GRPC) (*grpctypes.Types, error) {
	switch {
	case c.ProtoSet != "" && len(c.Protos) > 0:
		return nil, fail.New(fail.BadInput,
			"the types come from --set grpc.protoset or from --set grpc.proto, not from both").WithHint("leave one out")
	case c.ProtoSet != "":
		return grpctypes.FromSet(c.ProtoSet)
	case len(c.Protos) > 0:
		return grpctypes.FromProtos(context.Background(), c.Protos, c.ProtoPaths)
	case c.Descriptors != nil:
		return grpctypes.FromDescriptors(c.Descriptors)
	case len(c.ProtoPaths) > 0:
		return nil, fail.New(fail.BadInput,
			"--set grpc.proto-path is given without --set grpc.proto").WithHint("name the file of the service: --set grpc.proto=FILE")
	}
	return nil, nil
}

// Prepare implements Preparer: it asks the server for the types, where no file names them.
func (p *grpcProtocol) Prepare(ctx context.Context, dial load.Dialer) error {
	if p.ready {
		return nil
	}
	var failed atomic.Pointer[error] // of a dial, which the library puts into words of its own
	types, err := grpctypes.Reflect(ctx, func(ctx context.Context) (net.Conn, error) {
		c, err := dial(ctx)
		if err != nil {
			failed.Store(&err)
		}
		return c, err
	}, p.authority, p.path, p.options.Headers)
	if dialled := failed.Load(); err != nil && dialled != nil {
		return notReached(p.authority, *dialled)
	}
	var known *fail.Error
	switch {
	case errors.Is(err, grpctypes.ErrNoReflection) && p.path == "/":
		return fail.New(fail.BadInput,
			"the target names no method of gRPC, and the server lists none: it does not offer reflection").
			WithHint("write it like %s", grpcExample)
	case errors.Is(err, grpctypes.ErrNoReflection) &&
		(len(p.options.Body) > 0 || p.call.json != nil || p.options.GRPC.EachMessage):
		return fail.New(fail.BadInput, "the types of %s are not known: the server does not offer reflection", p.path).
			WithHint("name its file: --set grpc.proto=FILE, or --set grpc.protoset=FILE")
	case errors.Is(err, grpctypes.ErrNoReflection):
		p.blind = true
		return p.encode(func([]byte) ([]byte, error) { return grpctypes.AppendPrefix(nil, 0), nil })
	case errors.As(err, &known) && fail.HintOf(err) != "":
		return fail.New(fail.Or(fail.Subject, err), "ask the server for the types of %s: %w", p.path,
			err).WithHint("%s", fail.HintOf(err))
	case err != nil:
		return fail.New(fail.Or(fail.Subject, err), "ask the server for the types of %s: %w", p.path, err).
			WithHint("check that the target speaks gRPC; or name its file, which needs no question: --set grpc.proto=FILE, or --set grpc.protoset=FILE")
	}
	return p.use(types)
}

// notReached says that no connection to a server came about.
func notReached(address string, err error) error {
	var known *fail.Error
	var dns *net.DNSError
	switch {
	case errors.As(err, &known):
		return err
	case errors.As(err, &dns):
		return fail.New(fail.BadInput, "connect to %s: %w", address, err).WithHint("check the host name")
	}
	return fail.New(fail.Or(fail.Subject, err), "connect to %s: %w", address,
		err).WithHint("check that the service listens there")
}

// use encodes the messages by the types of the method.
func (p *grpcProtocol) use(types *grpctypes.Types) error {
	method, err := types.Method(p.path)
	if err != nil {
		return err
	}
	p.call.method = method
	switch {
	case !p.options.GRPC.EachMessage:
		return p.encode(method.Encode)
	case !method.ClientStreams() || !method.ServerStreams():
		return fail.New(fail.BadInput,
			"%s does not stream both ways, and with --set grpc.each-message each message of a call is a request",
			p.path).
			WithHint("leave out --set grpc.each-message: a call is a request")
	}
	return p.encode(method.EncodeOne)
}

// encode encodes the body, or that of each row of the feed.
func (p *grpcProtocol) encode(encode func(text []byte) ([]byte, error)) error {
	p.ready = true
	bad := func(err error, where string) error {
		e := fail.New(fail.BadInput, "the body is not a message of %s%s: %w", p.path, where, err)
		if p.call.method == nil {
			return e
		}
		return e.WithHint("it is the JSON of %s", p.call.method.Input())
	}
	r := p.requests[0]
	if r.fill == nil {
		var err error
		if r.body, err = encode(p.options.Body); err != nil {
			return bad(err, "")
		}
		p.largest = len(r.body)
		return nil
	}
	text, size := p.options.TemplateOf(string(p.options.Body), wire.AsIs, false), 0
	for i, row := range p.mix.Rows {
		if i > 0 && text.Fixed() {
			r.fill.bodies = append(r.fill.bodies, r.fill.bodies[0])
			continue
		}
		body, err := encode(text.Append(nil, wire.Fill{Row: row}))
		if err != nil {
			return bad(err, " in row "+strconv.Itoa(i+1)+" of the feed")
		}
		if size += len(body); size > maxGRPCFeed {
			return fail.New(fail.BadInput, "the messages of the feed take more than %s of memory",
				units.Bytes(maxGRPCFeed)).
				WithHint("take a sample of its rows")
		}
		p.largest = max(p.largest, len(body))
		r.fill.bodies = append(r.fill.bodies, body)
	}
	return nil
}

// Notes implements Noter.
func (p *grpcProtocol) Notes() []string {
	notes := slices.Concat(p.foreign.Notes(), p.call.notes(), p.unread.Notes())
	if p.blind {
		notes = append(notes, "the types of "+p.path+
			" are not known, since the server does not offer reflection: each call sent an empty message; --set grpc.proto or --set grpc.protoset names them")
	}
	return notes
}
