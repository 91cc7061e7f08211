package grpctypes

import (
	"context"
	"errors"
	"net"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// ErrNoReflection is what Reflect returns for a server that does not offer reflection.
var ErrNoReflection = errors.New("the server does not offer reflection")

// The methods of reflection, the newer one first. Their messages are the same.
var reflections = []string{"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
	"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"}

// patience is how long the answer to one question may take.
const patience = 5 * time.Second

// Reflect asks a server for the types of the service in the path of a method, "/pkg.Service/Method"; of all services if
// it is empty or unknown to the server. dial makes a connection that is ready for HTTP/2; authority is the host that
// requests name; headers are "Name: value" and go with the calls. ErrNoReflection says that the server does not offer
// it; other errors are those of the connection.
func Reflect(ctx context.Context, dial func(context.Context) (net.Conn, error), authority, path string,
	headers []string) (*Types, error) {
	calls := newCaller(dial, authority, headers)
	defer calls.close()
	limit := time.Duration(inputs.ReflectedTime.Most) * time.Second
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for _, method := range reflections {
		t, err := reflectBy(limited, calls, method, path)
		if err != nil && limited.Err() != nil && ctx.Err() == nil {
			return nil, inputs.ReflectedTime.Beyond("")
		}
		if !hasStatus(err, statusUnimplemented) {
			return t, err
		}
	}
	return nil, ErrNoReflection
}

// asking is questions and their answers so far. Each question is a call of its own: a server that knows the method as
// little as its messages may wait for the end of what it is sent.
type asking struct {
	ctx    context.Context
	calls  *caller
	method string
	known  map[string]bool
	reading
}

func reflectBy(ctx context.Context, calls *caller, method, path string) (*Types, error) {
	a := &asking{ctx: ctx, calls: calls, method: method, known: map[string]bool{}}
	service, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	names := []string{service}
	var found error = &CallError{Status: statusNotFound, Message: "no service is named"}
	if service != "" {
		found = a.symbol(service)
	}
	if found != nil && !hasStatus(found, statusNotFound) {
		return nil, found
	}
	if found != nil {
		answer, err := a.ask(askServices, "")
		if err != nil {
			return nil, err
		}
		names = nil
		if err := inputs.ReflectedNames.Over("", int64(len(answer.services))); err != nil {
			return nil, err
		}
		for _, name := range answer.services {
			names = append(names, name)
			if err := a.symbol(name); err != nil && !hasStatus(err, statusNotFound) {
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
			WithHint("give its files: --set grpc.proto=FILE or --set grpc.protoset=FILE")
	}
	t.services = names
	return t, nil
}

// ask sends one question and reads its answer.
func (a *asking) ask(field protowire.Number, value string) (reflected, error) {
	ctx, cancel := context.WithTimeout(a.ctx, patience)
	defer cancel() // ends the stream
	raw, err := a.calls.call(ctx, a.method, question(field, value))
	if err != nil {
		return reflected{}, err
	}
	answer, err := parseReflected(raw)
	if err == nil && answer.failed != nil {
		err = answer.failed
	}
	return answer, err
}

// symbol asks for the file that holds a service.
func (a *asking) symbol(name string) error {
	answer, err := a.ask(askSymbol, name)
	if err != nil {
		return err
	}
	return a.take(answer.files)
}

// take keeps files that came with an answer.
func (a *asking) take(files [][]byte) error {
	for _, raw := range files {
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
			answer, err := a.ask(askFile, name)
			if hasStatus(err, statusNotFound) {
				continue
			}
			if err == nil {
				err = a.take(answer.files)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
