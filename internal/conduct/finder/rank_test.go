package finder

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/listeners"
	"github.com/gohone/hone/internal/program/routes"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/recognise"
)

// Of several ports the one is taken that can be loaded without further words.
func TestTheBestPortSuitsTheRequest(t *testing.T) {
	web := func(status int, body string) recognise.Seen {
		return recognise.Seen{Protocol: recognise.HTTP, Status: status, Body: []byte(body),
			Line: "HTTP/1.1 " + http.StatusText(status)}
	}
	grpc := recognise.Seen{Protocol: recognise.GRPC, Status: 200}
	post := wire.Options{Method: "POST", Body: []byte("{}")}
	for name, c := range map[string]struct {
		path    string
		options wire.Options
		ports   []recognise.Seen // the wanted one first
	}{
		"HTTP before gRPC": {"", wire.Options{},
			[]recognise.Seen{web(200, "hello"), grpc, web(404, "")}},
		"an index of metrics before gRPC": {"", wire.Options{},
			[]recognise.Seen{web(200, `<a href="/metrics">`), grpc, web(404, "")}},
		"gRPC before nothing at the path": {"", wire.Options{},
			[]recognise.Seen{grpc, web(404, ""), web(503, "")}},
		"a path of HTTP": {"/items", wire.Options{}, []recognise.Seen{web(404, ""), grpc}},
		"a method, beside HTTP for any path": {"/a.v1.Shop/List", wire.Options{},
			[]recognise.Seen{grpc, web(200, "hello")}},
		"types of gRPC": {"", wire.Options{GRPC: wire.GRPC{Protos: []string{"a.proto"}}},
			[]recognise.Seen{grpc, web(200, "hello")}},
		"a POST where a GET is refused": {"/items", post,
			[]recognise.Seen{web(415, ""), web(200, "ok"), grpc}},
		"a POST where the GET wants a parameter": {"/items", post, []recognise.Seen{web(400, ""), web(404, ""), grpc}},
	} {
		f := &finder{Program: &Program{Spec: &spec.Parts{Load: spec.Load{Path: c.path, Protocol: c.options}}},
			seen: map[string]candidate{}}
		for i, seen := range c.ports {
			at := listeners.Listener{Port: 9000 - i} // the wanted one is not the lowest
			f.seen[keyOf(at)] = candidate{at: at, seen: seen, use: f.useFor(seen)}
		}
		if best, _ := f.best(); best.at.Port != 9000 {
			t.Errorf("%s: took the port that %s", name, best.seen)
		}
	}
}

// What hone's own GET was answered is not told of a load of other requests.
func TestAPortIsShownByWhatConcernsTheLoad(t *testing.T) {
	refused := candidate{seen: recognise.Seen{Protocol: recognise.HTTP, Status: 415,
		Line: "HTTP/1.1 415 Unsupported Media Type"}, use: recognise.Serves}
	for want, o := range map[string]wire.Options{"speaks HTTP/1.1": {Method: "POST", Body: []byte("{}")},
		`answers "HTTP/1.1 415`: {}} {
		f := &finder{Program: &Program{Spec: &spec.Parts{Load: spec.Load{Protocol: o}}}}
		if got := f.showed(refused); !strings.HasPrefix(got, want) {
			t.Errorf("it %s, want %s", got, want)
		}
	}
}

// The port of gRPC that was not taken is named with what calls it.
func TestGRPCBesideTheChosenPort(t *testing.T) {
	web := candidate{at: listeners.Listener{Port: 9000}, use: recognise.Monitors}
	calls := candidate{at: listeners.Listener{Port: 9001}, seen: recognise.Seen{Protocol: recognise.GRPC},
		use: recognise.Calls}
	f := &finder{
		Program: &Program{Spec: &spec.Parts{}}, seen: map[string]candidate{"9000": web, "9001": calls},
		source: &routes.Found{Methods: []string{"/a.Shop/List"}},
	}
	if got, want := f.alsoCalls(web), "; --path /a.Shop/List calls the port of gRPC"; got != want {
		t.Errorf("beside HTTP: %q, want %q", got, want)
	}
	if got := f.alsoCalls(calls); got != "" {
		t.Errorf("beside itself: %q", got)
	}
}

// An exporter is loaded at its metrics: its page leads there, or nothing else answers. A program with other paths is
// not one.
func TestExporters(t *testing.T) {
	page := func(status int, body string) recognise.Seen {
		return recognise.Seen{Protocol: recognise.HTTP, Status: status, Body: []byte(body)}
	}
	const link = `<h1>Exporter</h1><a href='metrics'>Metrics</a>`
	for name, c := range map[string]struct {
		root      recognise.Seen
		source    routes.Found
		answering []string
		want      bool
	}{
		"a page with the link": {page(200, link), routes.Found{Parameters: true},
			[]string{"/health", "/metrics"}, true},
		"no page": {page(404, ""), routes.Found{Paths: []string{"/metrics"}},
			[]string{"/metrics"}, true},
		"no page, and a path with parameters": {page(404, ""), routes.Found{Parameters: true}, []string{"/metrics"},
			false},
		"another path":               {page(200, link), routes.Found{}, []string{"/items", "/metrics"}, false},
		"no metrics":                 {page(200, link), routes.Found{}, []string{"/health"}, false},
		"a page of its own":          {page(200, "hello"), routes.Found{}, []string{"/metrics"}, false},
		"a server that is not ready": {page(503, ""), routes.Found{}, []string{"/metrics"}, false},
	} {
		f := &finder{source: &c.source}
		if got := f.exports(candidate{seen: c.root, use: c.root.Use()}, c.answering); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What a server of RESP answers to a GET of HTTP reads like a failure, and is not shown.
func TestRESPIsNamedInsteadOfItsError(t *testing.T) {
	seen := recognise.Seen{Protocol: recognise.Redis, Line: "-ERR unknown command 'GET'"}
	f := &finder{Program: &Program{Spec: &spec.Parts{}}}
	if got := f.showed(candidate{seen: seen, use: seen.Use()}); got != "speaks RESP, the protocol of Redis" {
		t.Error(got)
	}
}

// The other ports of the same protocol are named as targets.
func TestOtherTargets(t *testing.T) {
	f := &finder{Program: &Program{Spec: &spec.Parts{Load: spec.Load{Path: "/x"}}}, seen: map[string]candidate{}}
	for port, protocol := range map[int]recognise.Protocol{8082: recognise.HTTP, 8083: recognise.HTTP,
		8084: recognise.HTTP, 8085: recognise.Silent} {
		l := listeners.Listener{Port: port, Address: netip.MustParseAddr("127.0.0.1")}
		f.seen[keyOf(l)] = candidate{at: l, seen: recognise.Seen{Protocol: protocol, Encrypted: port == 8084}}
	}
	got := f.otherTargets(f.seen["8082"])
	if want := []string{"http://127.0.0.1:8083/x", "https://127.0.0.1:8084/x"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
