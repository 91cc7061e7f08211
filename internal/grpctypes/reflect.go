package grpctypes

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/inputs"
)

// ErrNoReflection is what Reflect returns for a server that does not offer reflection.
var ErrNoReflection = errors.New("the server does not offer reflection")

// The methods of reflection, the newer one first. Their messages are the same.
var reflections = []string{"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"}

// patience is how long the answer to one question may take.
const patience = 5 * time.Second

// The bounds of what a server may tell about itself.
// Reflect asks a server for the types of the service in the path of a method, "/pkg.Service/Method"; of all services if it
// is empty or unknown to the server. dial makes a connection that is ready for HTTP/2; authority is the host that requests
// name; headers are "Name: value" and go with the calls. ErrNoReflection says that the server does not offer it; other
// errors are those of the connection.
func Reflect(ctx context.Context, dial func(context.Context) (net.Conn, error), authority, path string, headers []string) (*Types, error) {
	conn, err := grpc.NewClient("passthrough:///"+authority,
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return dial(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()), // dial has done what there is to do
		grpc.WithAuthority(authority), grpc.WithDisableServiceConfig(),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(int(inputs.ReflectedAnswer.Most))),
	)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ":")
		ctx = metadata.AppendToOutgoingContext(ctx, strings.ToLower(name), strings.TrimSpace(value))
	}
	limit := time.Duration(inputs.ReflectedTime.Most) * time.Second
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for _, method := range reflections {
		t, err := reflectBy(limited, conn, method, path)
		if err != nil && limited.Err() != nil && ctx.Err() == nil {
			return nil, inputs.ReflectedTime.Beyond("")
		}
		if status.Code(err) != codes.Unimplemented {
			return t, err
		}
	}
	return nil, ErrNoReflection
}

// asking is questions and their answers so far. Each question is a call of its own: a server that knows the method as
// little as its messages may wait for the end of what it is sent.
type asking struct {
	ctx    context.Context
	conn   *grpc.ClientConn
	method string
	known  map[string]bool
	reading
}

func reflectBy(ctx context.Context, conn *grpc.ClientConn, method, path string) (*Types, error) {
	a := &asking{ctx: ctx, conn: conn, method: method, known: map[string]bool{}}
	service, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	names := []string{service}
	found := status.Error(codes.NotFound, "no service is named")
	if service != "" {
		found = a.symbol(service)
	}
	if found != nil && status.Code(found) != codes.NotFound {
		return nil, found
	}
	if found != nil {
		answer, err := a.ask(&grpc_reflection_v1.ServerReflectionRequest{MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_ListServices{}})
		if err != nil {
			return nil, err
		}
		names = nil
		all := answer.GetListServicesResponse().GetService()
		if err := inputs.ReflectedNames.Over("", int64(len(all))); err != nil {
			return nil, err
		}
		for _, s := range all {
			names = append(names, s.GetName())
			if err := a.symbol(s.GetName()); err != nil && status.Code(err) != codes.NotFound {
				return nil, err
			}
		}
	}
	if err := a.imports(); err != nil {
		return nil, err
	}
	t, err := fromFiles(a.files)
	if err != nil {
		return nil, fail.New(fail.Subject, "read the types that the server tells by reflection: %w", err).
			WithHint("give its files: --proto FILE or --protoset FILE")
	}
	t.services = names
	return t, nil
}

// ask sends one question and reads its answer.
func (a *asking) ask(r *grpc_reflection_v1.ServerReflectionRequest) (*grpc_reflection_v1.ServerReflectionResponse, error) {
	ctx, cancel := context.WithTimeout(a.ctx, patience)
	defer cancel() // ends the stream
	stream, err := a.conn.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, a.method)
	if err != nil {
		return nil, err
	}
	answer := &grpc_reflection_v1.ServerReflectionResponse{}
	if err := stream.SendMsg(r); err != nil && !errors.Is(err, io.EOF) { // of EOF the answer says why
		return nil, err
	}
	if err := stream.CloseSend(); err != nil {
		return nil, err
	}
	if err := stream.RecvMsg(answer); err != nil {
		if status.Code(err) == codes.ResourceExhausted {
			err = errors.Join(inputs.ReflectedAnswer.Beyond(""), err)
		}
		if errors.Is(err, io.EOF) { // an answer without a message: it knows nothing of reflection
			return nil, status.Error(codes.Unimplemented, "no answer")
		}
		return nil, err
	}
	if e := answer.GetErrorResponse(); e != nil {
		return nil, status.Error(codes.Code(e.ErrorCode), e.ErrorMessage)
	}
	return answer, nil
}

// symbol asks for the file that holds a service.
func (a *asking) symbol(name string) error {
	answer, err := a.ask(&grpc_reflection_v1.ServerReflectionRequest{MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: name}})
	if err != nil {
		return err
	}
	return a.take(answer)
}

// take keeps the files of an answer.
func (a *asking) take(answer *grpc_reflection_v1.ServerReflectionResponse) error {
	for _, raw := range answer.GetFileDescriptorResponse().GetFileDescriptorProto() {
		name, err := nameOf(raw)
		if err == nil && a.known[name] { // servers send what a file imports with each
			continue
		}
		if err == nil {
			err = inputs.ReflectedNames.Over("", int64(len(a.files)+1))
		}
		if err == nil {
			err = a.file(raw)
		}
		if err != nil {
			return err
		}
		a.known[name] = true
	}
	return nil
}

// imports asks for the files that are imported and did not come along. Those that the server does not have are left to
// the well-known types.
func (a *asking) imports() error {
	asked := map[string]bool{}
	for i := 0; i < len(a.files); i++ { // grows meanwhile
		for _, name := range a.files[i].Dependency {
			if a.known[name] || asked[name] {
				continue
			}
			asked[name] = true
			answer, err := a.ask(&grpc_reflection_v1.ServerReflectionRequest{MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_FileByFilename{FileByFilename: name}})
			if status.Code(err) == codes.NotFound {
				continue
			}
			if err == nil {
				err = a.take(answer)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
