package rpc_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/services/rpc"
)

func newServer(t *testing.T) *rpc.Server {
	t.Helper()
	s, err := rpc.New(rpc.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

type wrongReply struct{}

func (wrongReply) Do(context.Context, *request1) error             { return nil }
func (wrongReply) Also(context.Context, request1) (*reply1, error) { return nil, nil }

type half struct{ zoo }

func (half) Other(context.Context) {}

func TestServicesThatCannotBeRegistered(t *testing.T) {
	for name, c := range map[string]struct {
		service string
		impl    any
		want    []string
	}{
		"nil":                    {"x", nil, []string{`register service "x"`, "nil"}},
		"no name":                {"", zoo{}, []string{"no name"}},
		"no methods":             {"x", struct{}{}, []string{"has no exported method that takes a context"}},
		"methods of other forms": {"x", wrongReply{}, []string{"method Do is a", "method Also is a", "want func(context.Context, *Req) (*Reply, error)"}},
		"one of them":            {"x", half{}, []string{"method Other is a"}},
		"name not UTF-8":         {"\xff", zoo{}, []string{"not UTF-8"}},
	} {
		s := newServer(t)
		err := rpc.RegisterService(s, c.service, c.impl)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q in it", name, err, want)
			}
		}
		// None of its methods was registered on the way.
		if c.service == "x" && c.impl != nil {
			if err := rpc.RegisterService(s, c.service, zoo{}); err != nil {
				t.Errorf("%s: a good service after it: %v", name, err)
			}
		}
	}
	s := newServer(t)
	if err := rpc.RegisterService(s, "x", zoo{}); err != nil {
		t.Fatal(err)
	}
	if err := rpc.RegisterInline(s, "/x/Echo", func(context.Context, *request1, *reply1) error { return nil }); !errors.Is(err, rpc.ErrRegistered) {
		t.Errorf("a path that is taken: %v", err)
	}
}

func TestRegistrationEndsWithServing(t *testing.T) {
	r := start(t, rpc.Config{})
	r.mustServe(t)
	if err := rpc.RegisterService(r.Server, "late", zoo{}); !errors.Is(err, rpc.ErrServing) {
		t.Errorf("registration while serving: %v", err)
	}
}

func TestStagesAreFoundByName(t *testing.T) {
	for _, want := range rpc.Stages {
		got, err := rpc.LookupStage(want.Name)
		if err != nil || got.Name != want.Name {
			t.Errorf("LookupStage(%q) = %q, %v", want.Name, got.Name, err)
		}
		if want.Change == "" || want.Serve == nil {
			t.Errorf("stage %q does not say what it changes, or cannot serve", want.Name)
		}
	}
	_, err := rpc.LookupStage("pipelind")
	want := `unknown stage "pipelind" (known: naive, pooled, pipelined)`
	if err == nil || err.Error() != want {
		t.Errorf("LookupStage: %v, want %s", err, want)
	}
}

func TestConfigNamesAllItsFaults(t *testing.T) {
	_, err := rpc.New(rpc.Config{Stage: "fast", MaxConns: -1, MaxBody: 7, MaxCalls: -2, IdleTimeout: -time.Second, WriteTimeout: -time.Minute})
	wantAll(t, err, `unknown stage "fast"`, "max conns is -1", "max body is 7", "max calls is -2", "idle timeout is -1s", "write timeout is -1m0s")
	_, err = rpc.NewClient(rpc.ClientConfig{Stage: "fast", Conns: -1, Timeout: -1, Heartbeat: -1, MaxBody: -1, Window: 1000})
	wantAll(t, err, `unknown stage "fast"`, "either an address or a dial function", "conns is -1", "timeout is -1ns", "heartbeat is -1ns", "max body is -1", "window is 1000")
	if got := newServer(t).Stage().Name; got != rpc.DefaultStage {
		t.Errorf("the zero Config serves with %q, want %q", got, rpc.DefaultStage)
	}
}

func wantAll(t *testing.T, err error, want ...string) {
	t.Helper()
	for _, w := range want {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("error lacks %q: %v", w, err)
		}
	}
}
