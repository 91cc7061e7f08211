package schemes_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/interop"
	testgrpc "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/reflection/grpc_reflection_v1alpha"
	"google.golang.org/grpc/status"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// greeter is grpc-go's own test service, which answers as the request tells it, with some answers of its own.
type greeter struct {
	testgrpc.TestServiceServer
	sizes  chan int      // of the payloads of unary calls, if not nil
	hold   chan struct{} // empty calls wait for its end, if not nil
	before func(context.Context) error
}

func (g *greeter) UnaryCall(ctx context.Context, in *testgrpc.SimpleRequest) (*testgrpc.SimpleResponse, error) {
	if g.before != nil {
		if err := g.before(ctx); err != nil {
			return nil, err
		}
	}
	if g.sizes != nil {
		g.sizes <- len(in.GetPayload().GetBody())
	}
	return g.TestServiceServer.UnaryCall(ctx, in)
}

func (g *greeter) EmptyCall(ctx context.Context, in *testgrpc.Empty) (*testgrpc.Empty, error) {
	if g.hold != nil {
		select {
		case <-g.hold:
		case <-ctx.Done(): // at a deadline grpc-go may cancel ctx before its time is up
			return nil, status.Error(codes.DeadlineExceeded, "the call took too long")
		}
	}
	return g.TestServiceServer.EmptyCall(ctx, in)
}

// serveGRPC starts grpc-go with the service g, and with what add registers.
func serveGRPC(t *testing.T, g *greeter, add func(*grpc.Server), o ...grpc.ServerOption) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g.TestServiceServer = interop.NewTestServer()
	s := grpc.NewServer(o...)
	testgrpc.RegisterTestServiceServer(s, g)
	if add != nil {
		add(s)
	}
	done := make(chan error)
	go func() { done <- s.Serve(l) }() // ends with Stop
	t.Cleanup(func() {
		s.Stop()
		if err := <-done; err != nil && !errors.Is(err, grpc.ErrServerStopped) {
			t.Error(err)
		}
	})
	return "grpc://" + l.Addr().String() + "/grpc.testing.TestService/"
}

func v1(s *grpc.Server) { reflection.RegisterV1(s) }

func TestGRPCLoadsGRPCGo(t *testing.T) {
	url := serveGRPC(t, &greeter{}, v1)
	for engine := range engines {
		for _, c := range []struct {
			name, method, body string
			expect             wire.Expect
			depth              int
			n                  uint64
		}{
			{"an empty message", "EmptyCall", "", wire.Expect{}, 1, 100},
			{"unary", "UnaryCall", `{"responseSize": 10}`, wire.Expect{JSON: "payload.body=AAAAAAAAAAAAAA=="}, 50,
				load.FirstGRPCCode},
			{"an answer of a length", "UnaryCall", `{"response_size": 10}`, wire.Expect{Length: new(int64(14))}, 5,
				100},
			{"larger than the windows", "UnaryCall",
				fmt.Sprintf(`{"responseSize": 300000, "payload": {"body": %q}}`, strings.Repeat("AAAA", 100_000)),
				wire.Expect{}, 4, 24},
			{"a stream of answers", "StreamingOutputCall",
				`{"responseParameters": [{"size": 3}, {"size": 0}, {"size": 40000}]}`, wire.Expect{}, 3, 60},
			{"a stream of messages", "StreamingInputCall",
				`[{"payload": {"body": "AAAA"}}, {}, {"payload": {"body": "AAAAAAAA"}}]`,
				wire.Expect{JSON: "aggregated_payload_size=9"}, 3, 60},
			{"streams both ways", "FullDuplexCall",
				`[{"responseParameters": [{"size": 3}]}, {"responseParameters": [{"size": 1}, {"size": 2}]}]`,
				wire.Expect{}, 3, 60},
			{"a failure that is expected", "UnaryCall", `{"responseStatus": {"code": 5, "message": "no"}}`,
				wire.Expect{Status: []string{"not_found"}}, 3, 60},
			{"one of two", "UnaryCall", `{"responseStatus": {"code": 5}}`, wire.Expect{Status: []string{"OK", "5"}}, 3,
				60},
		} {
			got := fire(t, engine, url+c.method, wire.Options{Body: []byte(c.body), Expect: c.expect}, c.depth, c.n)
			wantRight(t, c.name+" over the "+engine, got, c.n)
		}
	}
}

func TestGRPCWrongAnswers(t *testing.T) {
	url := serveGRPC(t, &greeter{}, v1)
	for _, c := range []struct {
		name, method, body string
		expect             wire.Expect
		cause              load.Cause
		code               codes.Code
	}{
		{"a failure", "UnaryCall", `{"responseStatus": {"code": 14}}`, wire.Expect{}, load.WrongStatus,
			codes.Unavailable},
		{"a failure within a stream", "FullDuplexCall",
			`[{"responseParameters": [{"size": 1}]}, {"responseStatus": {"code": 8}}]`, wire.Expect{}, load.WrongStatus,
			codes.ResourceExhausted},
		{"not the failure that is expected", "EmptyCall", "", wire.Expect{Status: []string{"INTERNAL"}},
			load.WrongStatus, codes.OK},
		{"a method that the server lacks", "UnimplementedCall", "", wire.Expect{}, load.WrongStatus,
			codes.Unimplemented},
		{"another length", "UnaryCall", `{"responseSize": 10}`, wire.Expect{Length: new(int64(15))}, load.WrongLength,
			codes.OK},
		{"another value", "UnaryCall", `{"responseSize": 10}`, wire.Expect{JSON: "payload.body=AA=="}, load.WrongBody,
			codes.OK},
		{"no message to check", "StreamingOutputCall", `{}`, wire.Expect{JSON: "payload"}, load.WrongBody, codes.OK},
		{"one of many", "StreamingOutputCall", `{"responseParameters": [{"size": 3}, {"size": 4}]}`,
			wire.Expect{JSON: "payload.body=AAAA"}, load.WrongBody, codes.OK},
		{"a text that is not there", "UnaryCall", `{"responseSize": 10}`, wire.Expect{Body: "hone"}, load.WrongBody,
			codes.OK},
	} {
		got := fire(t, "event loop", url+c.method, wire.Options{Body: []byte(c.body), Expect: c.expect}, 3, 30)
		code := load.FirstGRPCCode + int(c.code)
		if got.Failed != 30 || got.Causes[c.cause] != 30 || got.Codes[code] != 30 || got.Reconnects > 0 {
			t.Errorf("%s: want 30 of %v with %s, got %+v with codes %v", c.name, c.cause, load.CodeName(uint16(code)),
				got.ByCause(), got.Codes)
		}
	}
}

// The types come from wherever they are: the two versions of reflection, .proto files, descriptors.
func TestGRPCTypes(t *testing.T) {
	raw := testServices(t)
	dir := t.TempDir()
	write := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	descriptors := write("set.pb", raw)
	source := write("api/test.proto", []byte(`syntax = "proto3";
package grpc.testing;
import "api/kinds.proto";
import "google/protobuf/empty.proto";
message Request { Kind response_type = 1; int32 response_size = 2; }
message Answer { Load payload = 1; }
message Load { Kind type = 1; bytes body = 2; }
service TestService { rpc UnaryCall(Request) returns (Answer); }
`))
	write("api/kinds.proto", []byte("syntax = \"proto3\";\npackage grpc.testing;\nenum Kind { COMPRESSABLE = 0; }\n"))
	bare := serveGRPC(t, &greeter{}, nil)
	for _, c := range []struct {
		name  string
		url   string
		calls wire.GRPC
	}{
		{"reflection v1", serveGRPC(t, &greeter{}, v1), wire.GRPC{}},
		{"reflection v1 and v1alpha", serveGRPC(t, &greeter{}, func(s *grpc.Server) { reflection.Register(s) }),
			wire.GRPC{}},
		{"reflection v1alpha alone", serveGRPC(t, &greeter{}, onlyAlpha), wire.GRPC{}},
		{"descriptors", bare, wire.GRPC{ProtoSet: descriptors}},
		{"a .proto file", bare, wire.GRPC{Protos: []string{source}, ProtoPaths: []string{dir}}},
		{"a .proto file by its name for imports", bare,
			wire.GRPC{Protos: []string{"api/test.proto"}, ProtoPaths: []string{dir}}},
	} {
		o := wire.Options{Body: []byte(`{"responseSize": 4}`), GRPC: c.calls,
			Expect: wire.Expect{JSON: "payload.body=AAAAAA=="}}
		wantRight(t, c.name, fire(t, "event loop", c.url+"UnaryCall", o, 2, 20), 20)
	}
}

// onlyAlpha offers the older reflection, as servers of some years ago do.
func onlyAlpha(s *grpc.Server) {
	grpc_reflection_v1alpha.RegisterServerReflectionServer(s,
		reflection.NewServer(reflection.ServerOptions{Services: s}))
}

func TestGRPCWithoutTypes(t *testing.T) {
	url := serveGRPC(t, &greeter{}, nil)
	target := parse(t, url+"EmptyCall", wire.Options{})
	if err := target.Prepare(t.Context(), target.Dialer(nil)); err != nil {
		t.Fatal(err)
	}
	if notes := target.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "each call sent an empty message") {
		t.Errorf("notes %q", notes)
	}
	wantRight(t, "an empty message", fire(t, "event loop", url+"EmptyCall", wire.Options{}, 2, 20), 20)
}

func TestGRPCSaysWhatCannotBeCalled(t *testing.T) {
	with, without := serveGRPC(t, &greeter{}, v1), serveGRPC(t, &greeter{}, nil)
	for _, c := range []struct {
		url  string
		body string
		feed *wire.Feed
		text string
		hint string
	}{
		{with + "UnaryCal", "", nil, "there is no gRPC method /grpc.testing.TestService/UnaryCal",
			"did you mean /grpc.testing.TestService/UnaryCall?"},
		{strings.Replace(with, "TestService", "Other", 1) + "UnaryCall", "", nil, "there is no gRPC method",
			"/grpc.testing.TestService/EmptyCall"},
		{strings.TrimSuffix(with, "grpc.testing.TestService/"), "", nil, "the target names no method of gRPC",
			"/grpc.testing.TestService/EmptyCall"},
		{with + "UnaryCall", `{"size": 1}`, nil, `unknown field "size"`,
			"it is the JSON of grpc.testing.SimpleRequest"},
		{with + "UnaryCall", `{"responseSize": `, nil, "the body is not a message of", "it is the JSON of"},
		{with + "UnaryCall", `[{}]`, nil, "takes one message, and this is a list", ""},
		{with + "FullDuplexCall", "[{},\n {\"x\": 1}]", nil, `message 2 of 2: (line 1:2): unknown field "x"`, ""},
		{with + "FullDuplexCall", "[{},\n {]", nil, "line 2:3", ""},
		{with + "UnaryCall", `{"responseSize": {n}}`, table("n", "1", "many"), "in row 2 of the feed", ""},
		{without + "UnaryCall", `{"responseSize": 1}`, nil, "the server does not offer reflection",
			"--set grpc.proto=FILE"},
		{strings.TrimSuffix(without, "grpc.testing.TestService/"), "", nil, "the server lists none", "grpc://"},
	} {
		target := parse(t, c.url, wire.Options{Body: []byte(c.body), Feed: c.feed})
		err := target.Prepare(t.Context(), target.Dialer(nil))
		wantInputError(t, c.url+" "+c.body, err, c.text, c.hint)
	}
	gone := parse(t, "grpc://127.0.0.1:1/a.B/C", wire.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := gone.Prepare(ctx, gone.Dialer(nil)); fail.KindOf(err) != fail.Subject ||
		!strings.Contains(fail.HintOf(err), "listens there") {
		t.Errorf("a server that is not there: %v (%s)", err, fail.HintOf(err))
	}
	// One that is there and speaks something else.
	other := serveTargets(t)
	odd := parse(t, strings.Replace(other, "http", "grpc", 1)+"/a.B/C", wire.Options{})
	if err := odd.Prepare(ctx, odd.Dialer(nil)); err == nil || strings.Contains(fail.HintOf(err), "fault of hone") {
		t.Errorf("a server of HTTP: %v (%s)", err, fail.HintOf(err))
	}
}

func TestGRPCFeedsAndMetadata(t *testing.T) {
	sizes, wrong := make(chan int, 300), atomic.Int64{}
	g := &greeter{sizes: sizes, before: func(ctx context.Context) error {
		md, _ := metadata.FromIncomingContext(ctx)
		deadline, ok := ctx.Deadline()
		user := md.Get("x-user")
		if len(user) != 1 || !slices.Contains([]string{"ann", "bob"}, user[0]) || !ok ||
			time.Until(deadline) > 5*time.Second || md.Get("content-type")[0] != "application/grpc" {
			wrong.Add(1)
		}
		return nil
	}}
	url := serveGRPC(t, g, v1)
	o := wire.Options{
		Body: []byte(`{"payload": {"body": "{data}"}}`), Feed: table("data,user", "AAAA,ann", "AAAAAAAA,bob"),
		Headers: []string{"X-User: {user}"}, GRPC: wire.GRPC{Deadline: 5 * time.Second},
	}
	wantRight(t, "a feed", fire(t, "event loop", url+"UnaryCall", o, 4, 300), 300)
	count := map[int]int{}
	for range 300 {
		count[<-sizes]++
	}
	if wrong.Load() > 0 || count[3]+count[6] != 300 || count[3] < 140 || count[3] > 160 {
		t.Errorf("%d calls with other metadata; payloads by size: %v, want halves of 3 and 6", wrong.Load(), count)
	}
}

func TestGRPCDeadlinesOfTheServer(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	url := serveGRPC(t, &greeter{hold: hold}, v1)
	o := wire.Options{GRPC: wire.GRPC{Deadline: 50 * time.Millisecond}}
	got := fire(t, "event loop", url+"EmptyCall", o, 2, 6)
	// grpc-go answers or cancels the stream, whichever comes first.
	if late := got.Codes[load.FirstGRPCCode+int(codes.DeadlineExceeded)]; late != 6 ||
		got.Causes[load.WrongStatus] != 6 {
		t.Errorf("want 6 calls that took too long, got %v, codes %v", got.ByCause(), got.Codes)
	}
}

// A server that ends connections by their age says goodbye twice: calls on their way are answered, and none is lost.
func TestGRPCServersThatEndOldConnections(t *testing.T) {
	url := serveGRPC(t, &greeter{before: func(context.Context) error { time.Sleep(time.Millisecond); return nil }}, v1,
		grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionAge: 100 * time.Millisecond,
			MaxConnectionAgeGrace: 10 * time.Second}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: time.Hour}))
	got := fire(t, "event loop", url+"UnaryCall", wire.Options{Body: []byte("{}")}, 4, 2000)
	if got.Answered != 2000 || got.Renewed == 0 || got.Reconnects != 0 {
		t.Errorf("want 2000 right over renewed connections, got %+v, %d renewed, %d replaced", got.Counts, got.Renewed,
			got.Reconnects)
	}
}

func TestGRPCServerThatDies(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &greeter{TestServiceServer: interop.NewTestServer()}
	s := grpc.NewServer()
	testgrpc.RegisterTestServiceServer(s, g)
	calls := atomic.Int64{}
	g.before = func(context.Context) error {
		if calls.Add(1) == 50 {
			go s.Stop()
			return status.Error(codes.Unavailable, "dying")
		}
		return nil
	}
	done := make(chan error)
	go func() { done <- s.Serve(l) }() // ends with Stop
	target := parse(t, "grpc://"+l.Addr().String()+"/grpc.testing.TestService/UnaryCall", wire.Options{})
	session, err := load.Open(t.Context(), load.Plan{Connections: 2, Depth: 3, Timeout: time.Second}, target,
		target.Dialer(nil))
	if err != nil {
		t.Fatal(err)
	}
	var all load.Tally
	if err := session.Run(t.Context(), load.Stretch{Schedule: load.ClosedLoop(3 * time.Second), Drain: time.Second},
		all.Add); err != nil {
		t.Error(err)
	}
	if c, err := session.Close(); err != nil || c.Answered == 0 || c.Failed == 0 || c.Causes[load.Refused] == 0 {
		t.Errorf("want right answers, then failures, then refused connects: %+v, %v", c, err)
	}
	<-done
}
