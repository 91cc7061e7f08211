package rpc

import (
	"context"
	"errors"
	"fmt"
	"reflect"
)

// RegisterService serves the methods of impl by reflection, each as /NAME/METHOD, like
// Register. They have the form
//
//	func (T) Method(ctx context.Context, req *Req) (*Reply, error)
//
// where Req and Reply are structs. An exported method whose first parameter is a
// context is meant to be one: any other form of it is an error. Other methods are left
// alone. Nothing is registered unless all can be.
func RegisterService(s *Server, name string, impl any) error {
	methods, err := methodsOf(s, name, reflect.ValueOf(impl))
	if err != nil {
		return fmt.Errorf("register service %q: %w", name, err)
	}
	return s.add(methods...)
}

func methodsOf(s *Server, name string, impl reflect.Value) ([]*method, error) {
	if name == "" {
		return nil, errors.New("it has no name")
	}
	if !impl.IsValid() {
		return nil, errors.New("it is nil")
	}
	var all []*method
	var faults []error
	for i := range impl.NumMethod() {
		m, fn := impl.Type().Method(i), impl.Method(i)
		if in := fn.Type(); in.NumIn() == 0 || in.In(0) != contextType {
			continue
		}
		if !isCall(fn.Type()) {
			faults = append(faults, fmt.Errorf("method %s is a %v, want func(context.Context, *Req) (*Reply, error) with structs",
				m.Name, fn.Type()))
			continue
		}
		path := "/" + name + "/" + m.Name
		run := chain(s.cfg.Interceptors, path, reflected(fn))
		argument := fn.Type().In(1).Elem()
		fresh := func() any { return reflect.New(argument).Interface() }
		all = append(all, &method{path: path, serve: serveWith(fresh, run)})
	}
	if len(faults) == 0 && len(all) == 0 {
		faults = append(faults, fmt.Errorf("%v has no exported method that takes a context", impl.Type()))
	}
	return all, errors.Join(faults...)
}

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

// isCall says whether t, a method without its receiver, has the form of a call.
func isCall(t reflect.Type) bool {
	return t.NumIn() == 2 && !t.IsVariadic() && isMessage(t.In(1)) &&
		t.NumOut() == 2 && isMessage(t.Out(0)) && t.Out(1) == errorType
}

func isMessage(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct
}

// reflected is fn, which isCall, as a Handler.
func reflected(fn reflect.Value) Handler {
	return func(ctx context.Context, req any) (any, error) {
		out := fn.Call([]reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(req)})
		err, _ := out[1].Interface().(error)
		if out[0].IsNil() {
			return nil, err
		}
		return out[0].Interface(), err
	}
}
