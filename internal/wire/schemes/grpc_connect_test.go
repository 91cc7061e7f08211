package schemes_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"connectrpc.com/connect"
	testgrpc "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// The methods of grpc-go's test service as connect-go serves them, over net/http's HTTP/2: one of each kind.
func connectService() http.Handler {
	const service = "/grpc.testing.TestService/"
	payload := func(n int32) *testgrpc.Payload { return &testgrpc.Payload{Body: make([]byte, n)} }
	send := func(out *connect.ServerStream[testgrpc.StreamingOutputCallResponse],
		in *testgrpc.StreamingOutputCallRequest) error {
		for _, p := range in.GetResponseParameters() {
			if err := out.Send(&testgrpc.StreamingOutputCallResponse{Payload: payload(p.GetSize())}); err != nil {
				return err
			}
		}
		return nil
	}
	mux := http.NewServeMux()
	mux.Handle(service+"UnaryCall", connect.NewUnaryHandler(service+"UnaryCall",
		func(_ context.Context, r *connect.Request[testgrpc.SimpleRequest]) (*connect.Response[testgrpc.SimpleResponse],
			error) {
			if s := r.Msg.GetResponseStatus(); s.GetCode() != 0 {
				return nil, connect.NewError(connect.Code(s.GetCode()), errors.New(s.GetMessage()))
			}
			return connect.NewResponse(&testgrpc.SimpleResponse{Payload: payload(r.Msg.GetResponseSize()),
				Username: r.Header().Get("X-User")}), nil
		}))
	mux.Handle(service+"StreamingOutputCall", connect.NewServerStreamHandler(service+"StreamingOutputCall",
		func(_ context.Context, r *connect.Request[testgrpc.StreamingOutputCallRequest],
			out *connect.ServerStream[testgrpc.StreamingOutputCallResponse]) error {
			return send(out, r.Msg)
		}))
	mux.Handle(service+"StreamingInputCall", connect.NewClientStreamHandler(service+"StreamingInputCall",
		func(_ context.Context,
			in *connect.ClientStream[testgrpc.StreamingInputCallRequest]) (*connect.Response[testgrpc.StreamingInputCallResponse], error) {
			size := 0
			for in.Receive() {
				size += len(in.Msg().GetPayload().GetBody())
			}
			return connect.NewResponse(&testgrpc.StreamingInputCallResponse{AggregatedPayloadSize: int32(size)}),
				in.Err()
		}))
	mux.Handle(service+"FullDuplexCall", connect.NewBidiStreamHandler(service+"FullDuplexCall",
		func(_ context.Context, both *connect.BidiStream[testgrpc.StreamingOutputCallRequest,
			testgrpc.StreamingOutputCallResponse]) error {
			for {
				in, err := both.Receive()
				if errors.Is(err, io.EOF) {
					return nil
				}
				if err != nil {
					return err
				}
				for _, p := range in.GetResponseParameters() {
					if err := both.Send(&testgrpc.StreamingOutputCallResponse{Payload: payload(p.GetSize())}); err != nil {
						return err
					}
				}
			}
		}))
	return mux
}

// serveConnect starts connect-go without TLS, and without reflection, which it leaves to another module.
func serveConnect(t *testing.T) (url string) {
	t.Helper()
	s := httptest.NewUnstartedServer(connectService())
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	t.Cleanup(s.Close)
	return "grpc://" + s.Listener.Addr().String() + "/grpc.testing.TestService/"
}

// testServices are the descriptors of grpc-go's test service, with all that they import.
func testServices(t testing.TB) []byte {
	t.Helper()
	set := &descriptorpb.FileDescriptorSet{}
	var add func(protoreflect.FileDescriptor)
	add = func(f protoreflect.FileDescriptor) {
		for i := range f.Imports().Len() {
			add(f.Imports().Get(i).FileDescriptor)
		}
		set.File = append(set.File, protodesc.ToFileDescriptorProto(f))
	}
	add(testgrpc.File_grpc_testing_test_proto)
	raw, err := proto.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// testServiceSet writes the descriptors of grpc-go's test service, with all that they import.
func testServiceSet(t testing.TB) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "set.pb")
	if err := os.WriteFile(file, testServices(t), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestGRPCLoadsConnectGo(t *testing.T) {
	url, calls := serveConnect(t), wire.GRPC{ProtoSet: testServiceSet(t)}
	for engine := range engines {
		for _, c := range []struct {
			name, method, body string
			headers            []string
			expect             wire.Expect
		}{
			{"unary", "UnaryCall", `{"responseSize": 4}`, nil, wire.Expect{JSON: "payload.body=AAAAAA=="}},
			{"an empty answer", "UnaryCall", "", nil, wire.Expect{Length: new(int64(2))}},
			{"metadata", "UnaryCall", "", []string{"X-User: ann"}, wire.Expect{JSON: "username=ann"}},
			{"larger than the windows", "UnaryCall", `{"responseSize": 3000000}`, nil, wire.Expect{}},
			{"a failure that is expected", "UnaryCall", `{"responseStatus": {"code": 5}}`, nil,
				wire.Expect{Status: []string{"NOT_FOUND"}}},
			{"a stream of answers", "StreamingOutputCall", `{"responseParameters": [{"size": 3}, {}, {"size": 40000}]}`,
				nil, wire.Expect{}},
			{"a stream of messages", "StreamingInputCall",
				`[{"payload": {"body": "AAAA"}}, {}, {"payload": {"body": "AAAAAAAA"}}]`, nil,
				wire.Expect{JSON: "aggregated_payload_size=9"}},
			{"streams both ways", "FullDuplexCall",
				`[{"responseParameters": [{"size": 3}]}, {"responseParameters": [{"size": 1}]}]`, nil, wire.Expect{}},
		} {
			o := wire.Options{Body: []byte(c.body), Headers: c.headers, Expect: c.expect, GRPC: calls}
			wantRight(t, c.name+" over the "+engine, fire(t, engine, url+c.method, o, 4, 24), 24)
		}
	}
}

// connect-go names failures in the head of an answer without a body, and of a stream behind its messages.
func TestGRPCFailuresOfConnectGo(t *testing.T) {
	url, calls := serveConnect(t), wire.GRPC{ProtoSet: testServiceSet(t)}
	for method, code := range map[string]uint16{"UnaryCall": 14, "EmptyCall": 0} {
		body := `{"responseStatus": {"code": 14}}`
		want := load.FirstGRPCCode + code
		if method == "EmptyCall" { // a path that nothing serves: net/http answers 404
			body, want = "", http.StatusNotFound
		}
		got := fire(t, "event loop", url+method, wire.Options{Body: []byte(body), GRPC: calls}, 3, 30)
		if got.Failed != 30 || got.Causes[load.WrongStatus] != 30 || got.Codes[int(want)] != 30 || got.Reconnects > 0 {
			t.Errorf("%s: want 30 of %s, got %v, codes %v", method, load.CodeName(want), got.ByCause(), got.Codes)
		}
	}
}

// Without reflection and without types the calls are empty. connect-go answers the question for types with 404.
func TestGRPCWithoutTypesOfConnectGo(t *testing.T) {
	url := serveConnect(t)
	wantRight(t, "an empty message", fire(t, "event loop", url+"UnaryCall", wire.Options{}, 2, 20), 20)
	target := parse(t, url+"UnaryCall", wire.Options{Body: []byte(`{"responseSize": 1}`)})
	wantInputError(t, "a body without types", target.Prepare(t.Context(), target.Dialer(nil)),
		"the server does not offer reflection", "--set grpc.proto=FILE")
}
