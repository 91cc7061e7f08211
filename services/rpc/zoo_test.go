package rpc_test

import (
	"context"
	"errors"
	"strings"

	"github.com/gohone/hone/services/rpc"
	"github.com/gohone/hone/services/rpc/helloworld"
)

// zoo is a service of handlers that behave in every way, each inline and not: the
// inline ones under /zoo.Inline/, the others, by reflection, under /zoo.Zoo/.
type zoo struct{}

type (
	request1 = helloworld.HelloRequest
	reply1   = helloworld.HelloReply
)

// Echo answers with the message.
func (zoo) Echo(_ context.Context, req *request1) (*reply1, error) {
	return &reply1{Msg: req.Msg}, nil
}

// Large answers with 5 MB.
func (zoo) Large(context.Context, *request1) (*reply1, error) {
	return &reply1{Msg: strings.Repeat("x", 5_000_000)}, nil
}

// Bulk answers with 1 MB.
func (zoo) Bulk(context.Context, *request1) (*reply1, error) {
	return &reply1{Msg: strings.Repeat("x", 1_000_000)}, nil
}

// Fail fails with an error without a code.
func (zoo) Fail(_ context.Context, req *request1) (*reply1, error) {
	return nil, errors.New("cannot do " + req.Msg)
}

// Refuse fails with a code of its own, and metadata.
func (zoo) Refuse(ctx context.Context, req *request1) (*reply1, error) {
	if err := rpc.SetReplyMetadata(ctx, rpc.Metadata{"why": []byte(req.Msg), "code": nil}); err != nil {
		return nil, err
	}
	return nil, rpc.Errorf(1234, "refused %s", req.Msg)
}

// Panic panics.
func (zoo) Panic(context.Context, *request1) (*reply1, error) { panic("zoo") }

// Timeout answers with whether the call has an end.
func (zoo) Timeout(ctx context.Context, _ *request1) (*reply1, error) {
	if _, ok := ctx.Deadline(); !ok {
		return &reply1{Msg: "none"}, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return &reply1{Msg: "some"}, nil
}

// Metadata answers with the request's metadata "key", which it also sends back.
func (zoo) Metadata(ctx context.Context, _ *request1) (*reply1, error) {
	value := rpc.MetadataFrom(ctx)["key"]
	err := rpc.SetReplyMetadata(ctx, rpc.Metadata{"key": value, "also": []byte("this")})
	return &reply1{Msg: string(value)}, err
}

// Inert returns neither a reply nor an error.
func (zoo) Inert(context.Context, *request1) (*reply1, error) { return nil, nil }

// String is not a call: it takes no context.
func (zoo) String() string { return "zoo" }

// zooMethods are the methods of zoo by name.
var zooMethods = map[string]func(context.Context, *request1) (*reply1, error){
	"Echo": zoo{}.Echo, "Bulk": zoo{}.Bulk, "Large": zoo{}.Large, "Fail": zoo{}.Fail, "Refuse": zoo{}.Refuse,
	"Panic": zoo{}.Panic, "Timeout": zoo{}.Timeout, "Metadata": zoo{}.Metadata,
}

// registerZoo registers all of it.
func registerZoo(s *rpc.Server) error {
	faults := []error{rpc.RegisterService(s, "zoo.Zoo", zoo{})}
	for name, fn := range zooMethods {
		faults = append(faults, rpc.RegisterInline(s, "/zoo.Inline/"+name, func(ctx context.Context, req *request1, reply *reply1) error {
			got, err := fn(ctx, req)
			if got != nil {
				*reply = *got
			}
			return err
		}))
	}
	return errors.Join(faults...)
}
