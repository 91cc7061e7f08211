package grpctypes

import (
	"context"
	"errors"
	"net"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gohone/hone/internal/text/inputs"
)

// fileWith is a descriptor of a file with n empty messages in its only one: each takes two bytes.
func fileWith(name string, n int) []byte {
	raw := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), name)
	inside := []byte(strings.Repeat("\x1a\x00", n))
	return protowire.AppendBytes(protowire.AppendTag(raw, 4, protowire.BytesType), inside)
}

func TestDescriptorsAreCountedBeforeTheyAreRead(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	file := fileWith("bomb.proto", int(inputs.Declarations.Most)+1)
	set := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), file)
	_, err := FromDescriptors(set)
	var large *inputs.TooLarge
	if !errors.As(err, &large) || large.Bound != inputs.Declarations {
		t.Errorf("got %v", err)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 40*uint64(len(file)) {
		t.Errorf("%d bytes were allocated for %d", grown, len(file))
	}
	deep := []byte{}
	for range maxNested + 2 {
		deep = protowire.AppendBytes(protowire.AppendTag(nil, 3, protowire.BytesType), deep)
	}
	if err := (&reading{}).file(protowire.AppendBytes(protowire.AppendTag(nil, 4, protowire.BytesType),
		deep)); err == nil || !strings.Contains(err.Error(), "too deeply") {
		t.Errorf("of deep messages %v", err)
	}
}

// A server's reflection that has no end: too many services, an answer that is too large, files without an end.
func TestReflectionIsBounded(t *testing.T) {
	type answers = func(*grpc_reflection_v1.ServerReflectionRequest) *grpc_reflection_v1.ServerReflectionResponse
	services := func(names ...string) *grpc_reflection_v1.ServerReflectionResponse {
		list := &grpc_reflection_v1.ListServiceResponse{}
		for _, n := range names {
			list.Service = append(list.Service, &grpc_reflection_v1.ServiceResponse{Name: n})
		}
		return &grpc_reflection_v1.ServerReflectionResponse{MessageResponse: &grpc_reflection_v1.ServerReflectionResponse_ListServicesResponse{ListServicesResponse: list}}
	}
	file := func(raw []byte) *grpc_reflection_v1.ServerReflectionResponse {
		return &grpc_reflection_v1.ServerReflectionResponse{MessageResponse: &grpc_reflection_v1.ServerReflectionResponse_FileDescriptorResponse{
			FileDescriptorResponse: &grpc_reflection_v1.FileDescriptorResponse{FileDescriptorProto: [][]byte{raw}},
		}}
	}
	for what, c := range map[string]struct {
		want inputs.Bound
		say  answers
	}{
		"services": {inputs.ReflectedNames,
			func(*grpc_reflection_v1.ServerReflectionRequest) *grpc_reflection_v1.ServerReflectionResponse {
				return services(make([]string, inputs.ReflectedNames.Most+1)...)
			}},
		"one answer": {inputs.ReflectedAnswer,
			func(*grpc_reflection_v1.ServerReflectionRequest) *grpc_reflection_v1.ServerReflectionResponse {
				return services(strings.Repeat("x", int(inputs.ReflectedAnswer.Most)))
			}},
		"files": {inputs.Declarations,
			func(r *grpc_reflection_v1.ServerReflectionRequest) *grpc_reflection_v1.ServerReflectionResponse {
				if symbol := r.GetFileContainingSymbol(); symbol != "" {
					return file(fileWith(symbol, int(inputs.Declarations.Most/3)))
				}
				return services("a", "b", "c", "d")
			}},
		"imports": {inputs.ReflectedNames,
			func(r *grpc_reflection_v1.ServerReflectionRequest) *grpc_reflection_v1.ServerReflectionResponse {
				name := r.GetFileByFilename() + r.GetFileContainingSymbol()
				if name == "" {
					return services("a")
				}
				raw := fileWith(name, 0)
				return file(protowire.AppendString(protowire.AppendTag(raw, 3, protowire.BytesType), name+"x"))
			}},
	} {
		t.Run(what, func(t *testing.T) {
			address := reflecting(t, c.say)
			_, err := Reflect(t.Context(), func(ctx context.Context) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, "tcp", address)
			}, "h", "/", nil)
			var large *inputs.TooLarge
			if !errors.As(err, &large) || large.Bound != c.want && large.Bound != inputs.ReflectedTime {
				t.Errorf("got %v, want that of %s", err, c.want.Input)
			}
		})
	}
}

// reflecting serves a server's reflection.
func reflecting(t *testing.T,
	say func(*grpc_reflection_v1.ServerReflectionRequest) *grpc_reflection_v1.ServerReflectionResponse) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	grpc_reflection_v1.RegisterServerReflectionServer(server, reflection{say: say})
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(listener) }()
	t.Cleanup(func() { server.Stop(); <-done })
	return listener.Addr().String()
}

type reflection struct {
	grpc_reflection_v1.UnimplementedServerReflectionServer
	say func(*grpc_reflection_v1.ServerReflectionRequest) *grpc_reflection_v1.ServerReflectionResponse
}

func (r reflection) ServerReflectionInfo(stream grpc.BidiStreamingServer[grpc_reflection_v1.ServerReflectionRequest,
	grpc_reflection_v1.ServerReflectionResponse]) error {
	for {
		asked, err := stream.Recv()
		if err != nil {
			return nil
		}
		if err := stream.Send(r.say(asked)); err != nil {
			return err
		}
	}
}
