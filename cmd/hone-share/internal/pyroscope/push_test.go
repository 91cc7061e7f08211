package pyroscope

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/bufbuild/protocompile"
	"github.com/google/pprof/profile"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof"
)

// api is what Pyroscope's push.proto says of the call (field names, numbers and types).
const api = `syntax = "proto3";
package push.v1;
service PusherService { rpc Push(PushRequest) returns (PushResponse) {} }
message PushResponse {}
message PushRequest { repeated RawProfileSeries series = 1; }
message RawProfileSeries { repeated LabelPair labels = 1; repeated RawSample samples = 2; }
message LabelPair { string name = 1; string value = 2; }
message RawSample { bytes raw_profile = 1; string ID = 2; }
`

// arrived is one series as a server has it.
type arrived struct {
	labels   map[string]string
	profiles []*profile.Profile
	headers  http.Header
}

// server is a Connect server of that call, by connect-go and the schema. It answers with the error, if there is one.
func server(t *testing.T, refuse *connect.Error) (url string, got *[]arrived) {
	t.Helper()
	files, err := (&protocompile.Compiler{Resolver: &protocompile.SourceResolver{
		Accessor: protocompile.SourceAccessorFromMap(map[string]string{"push.proto": api})}}).Compile(t.Context(),
		"push.proto")
	if err != nil {
		t.Fatal(err)
	}
	method := files[0].Services().ByName("PusherService").Methods().ByName("Push")
	got = &[]arrived{}
	handler := connect.NewUnaryHandler(path, func(_ context.Context,
		r *connect.Request[dynamicpb.Message]) (*connect.Response[dynamicpb.Message], error) {
		if refuse != nil {
			return nil, refuse
		}
		*got = append(*got, seriesOf(t, r.Msg, r.Header())...)
		return connect.NewResponse(dynamicpb.NewMessage(method.Output())), nil
	}, connect.WithSchema(method), connect.WithRequestInitializer(func(_ connect.Spec, message any) error {
		message.(*dynamicpb.Message).Reset()
		*message.(*dynamicpb.Message) = *dynamicpb.NewMessage(method.Input())
		return nil
	}))
	mux := http.NewServeMux()
	mux.Handle(path, handler)
	mux.Handle("/below"+path, http.StripPrefix("/below", handler))
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL, got
}

func seriesOf(t *testing.T, m *dynamicpb.Message, headers http.Header) (all []arrived) {
	field := func(m protoreflect.Message, name string) protoreflect.Value {
		return m.Get(m.Descriptor().Fields().ByName(protoreflect.Name(name)))
	}
	list := field(m, "series").List()
	for i := range list.Len() {
		one := arrived{labels: map[string]string{}, headers: headers}
		labels := field(list.Get(i).Message(), "labels").List()
		for j := range labels.Len() {
			l := labels.Get(j).Message()
			one.labels[field(l, "name").String()] = field(l, "value").String()
		}
		samples := field(list.Get(i).Message(), "samples").List()
		for j := range samples.Len() {
			p, err := profile.ParseData(field(samples.Get(j).Message(), "raw_profile").Bytes())
			if err != nil {
				t.Error(err)
				return nil
			}
			one.profiles = append(one.profiles, p)
		}
		all = append(all, one)
	}
	return all
}

// captureOf is a small profile of these sample types, whose one sample has the values 1, 2, 3 ...
func captureOf(kind string, types ...string) prof.Capture {
	f := &profile.Function{ID: 1, Name: "main.work"}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f, Line: 7}}}
	p := &profile.Profile{Function: []*profile.Function{f}, Location: []*profile.Location{l},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1}
	s := &profile.Sample{Location: []*profile.Location{l}}
	for i, t := range types {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t, Unit: "count"})
		s.Value = append(s.Value, int64(i+1))
	}
	p.Sample = []*profile.Sample{s}
	return prof.Capture{Kind: kind, Profile: p, Duration: time.Second}
}

func clientFor(t *testing.T, address string, o Options) *Client {
	t.Helper()
	c, err := New(address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// What arrives is what the schema calls it, with the labels, the values of the kind alone and a time.
func TestWhatArrives(t *testing.T) {
	url, got := server(t, nil)
	c := clientFor(t, url+"/", Options{Token: "t0ken", Headers: map[string]string{"X-Scope-OrgID": "team"}})
	started := time.Unix(1_700_000_000, 0)
	labels := map[string]string{"service_name": "server", "run": "0123abcd", "variant": "", "commit": "abc"}
	heap := []string{"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"}
	want := []struct {
		capture prof.Capture
		name    string
		values  []int64
	}{
		{captureOf("cpu", "samples", "cpu"), "process_cpu", []int64{1, 2}},
		{captureOf("allocs", heap...), "memory", []int64{1, 2}},
		{captureOf("heap", heap...), "memory", []int64{3, 4}},
		{captureOf("block", "contentions", "delay"), "block", []int64{1, 2}},
	}
	for _, w := range want {
		p, err := FromCapture(w.capture, started, labels)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Push(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	if len(*got) != len(want) {
		t.Fatalf("%d series arrived", len(*got))
	}
	for i, a := range *got {
		w := want[i]
		if a.labels["__name__"] != w.name || a.labels["__delta__"] != "false" || a.labels["service_name"] != "server" ||
			a.labels["run"] != "0123abcd" || a.labels["commit"] != "abc" || len(a.labels) != 5 {
			t.Errorf("labels %v, want name %s", a.labels, w.name)
		}
		if len(a.profiles) != 1 || a.profiles[0].TimeNanos != started.UnixNano() || a.profiles[0].DurationNanos != 1e9 {
			t.Errorf("profiles %v", a.profiles)
			continue
		}
		p := a.profiles[0]
		if v := p.Sample[0].Value; len(v) != len(w.values) || v[0] != w.values[0] || v[1] != w.values[1] ||
			p.Sample[0].Location[0].Line[0].Function.Name != "main.work" {
			t.Errorf("%s: values %v, want %v", w.name, v, w.values)
		}
		if a.headers.Get("Authorization") != "Bearer t0ken" || a.headers.Get("X-Scope-OrgID") != "team" {
			t.Errorf("headers %v", a.headers)
		}
		if w.capture.Profile.TimeNanos != 0 ||
			len(w.capture.Profile.Sample[0].Value) != len(w.capture.Profile.SampleType) {
			t.Error("the capture was changed")
		}
	}
	p, err := FromCapture(want[0].capture, started, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := clientFor(t, url+"/below", Options{User: "u", Password: "p"}).Push(t.Context(), p); err != nil {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	push := func(url string) error {
		return clientFor(t, url, Options{User: "u", Password: "s3cret-password"}).Push(t.Context(),
			Profile{Name: "process_cpu"})
	}
	wants := func(err error, kind fail.Kind, words ...string) {
		t.Helper()
		if err == nil || fail.KindOf(err) != kind || fail.HintOf(err) == "" {
			t.Errorf("error %v, kind %d, hint %q", err, fail.ExitCode(err), fail.HintOf(err))
			return
		}
		text := err.Error() + "\n" + fail.HintOf(err)
		for _, w := range words {
			if !strings.Contains(text, w) {
				t.Errorf("error %q does not say %q", text, w)
			}
		}
		if strings.Contains(text, "s3cret") {
			t.Errorf("error %q shows the password", text)
		}
	}
	for _, c := range []struct {
		code    connect.Code
		message string
		kind    fail.Kind
		words   string
	}{
		{connect.CodeInvalidArgument, "profile is outside of ingestion window s3cret-password", fail.BadInput,
			"reject_older_than"},
		{connect.CodeInvalidArgument, "bad label", fail.BadInput, "invalid_argument: bad label"},
		{connect.CodeUnauthenticated, "no", fail.BadInput, "HONE_PUSH_PASSWORD"},
		{connect.CodeResourceExhausted, "too much", fail.Environment, "overloaded"},
		{connect.CodeUnavailable, "down", fail.Environment, "repeat the command later"},
	} {
		url, _ := server(t, connect.NewError(c.code, errors.New(c.message)))
		wants(push(url), c.kind, c.words)
	}
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()
	wants(push(elsewhere.URL), fail.BadInput, "is this Pyroscope")
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
		w.Write(bytes.Repeat([]byte("x "), 1<<20))
	}))
	defer evil.Close()
	err := push(evil.URL)
	wants(err, fail.Environment)
	if len(err.Error()) > 600 {
		t.Errorf("%d bytes of error", len(err.Error()))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	wants(push("http://"+l.Addr().String()), fail.Environment, "connection refused", "port 4040")
	ctx, end := context.WithCancel(t.Context())
	end()
	err = clientFor(t, elsewhere.URL, Options{}).Push(ctx, Profile{})
	if fail.KindOf(err) != fail.Interrupted {
		t.Errorf("error %v", err)
	}
}

func TestAddresses(t *testing.T) {
	for address, ok := range map[string]bool{
		"http://127.0.0.1:4040": true, "https://x.example/below/": true, "http://localhost:4040": true,
		"127.0.0.1:4040": false, "http://x.example": false, "https://u:p@x": false, "ftp://x": false, "": false,
		"https://": false, "https://x?y=z": false,
	} {
		_, err := New(address, Options{})
		if (err == nil) != ok || err != nil && (fail.KindOf(err) != fail.BadInput || fail.HintOf(err) == "" ||
			strings.Contains(err.Error(), "u:p@")) {
			t.Errorf("%q: %v", address, err)
		}
	}
	if _, err := New("http://x.example", Options{Insecure: true}); err != nil {
		t.Error(err)
	}
}
