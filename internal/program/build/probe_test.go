package build

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
)

// checkProbe goes through the client against a service that was built by hone.
func checkProbe(t *testing.T, socket string, pid int, address string) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	ctx := t.Context()
	var self struct {
		PID int `json:"pid"`
	}
	p := probeclient.At(socket)
	if err := json.Unmarshal(probePage(t, socket, "/buildinfo"), &self); err != nil || self.PID != pid {
		t.Fatalf("process %d answers, %v; want %d", self.PID, err, pid)
	}
	if before, err := p.SetRates(ctx, 1, 5); err != nil || before != 0 {
		t.Errorf("mutex fraction before: %d %v", before, err)
	}
	if before, err := p.SetRates(ctx, 0, 0); err != nil || before != 5 {
		t.Errorf("mutex fraction before: %d %v", before, err)
	}
	before, err := p.SetProcs(ctx, 5)
	if during, failed := p.SetProcs(ctx, before); err != nil || failed != nil || before == 0 || during != 5 {
		t.Errorf("GOMAXPROCS %d before, %d after it was set to 5: %v %v", before, during, err, failed)
	}
	first, err := p.Runtime(ctx)
	if err != nil || len(first.Missing) > 0 {
		t.Fatalf("%+v %v", first, err)
	}
	probePage(t, socket, "/gc")
	second, err := p.Runtime(ctx)
	if err != nil {
		t.Fatal(err)
	}
	d := second.Sub(first)
	if d.GCCycles < 1 || d.AllocBytes == 0 || d.AllocObjects == 0 || d.Pauses.Total() < 1 || d.CPU.Total <= 0 ||
		d.HeapLiveBytes == 0 || d.HeapGoalBytes == 0 || d.HeapObjectBytes == 0 || d.Goroutines < 3 ||
		d.GOMAXPROCS == 0 {
		t.Errorf("over a collection: %+v", d)
	}
	all, err := p.Metrics(ctx)
	if err != nil || len(all) < 50 || all["/gc/gogc:percent"].Uint64 != 100 {
		t.Errorf("%d metrics, GOGC %v, %v", len(all), all["/gc/gogc:percent"], err)
	}
	checkCollectionEnds(t, p)
	checkProfiles(t, p, address)
}

// probePage asks a probe for a page that the client does not ask for by itself.
func probePage(t *testing.T, socket, page string) []byte {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		},
	}}
	answer, err := client.Get("http://probe" + page)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", page, answer.Status, err)
	}
	return text
}

func checkCollectionEnds(t *testing.T, p *probeclient.Probe) {
	before := time.Now()
	if _, err := p.LiveHeap(t.Context()); err != nil { // collects
		t.Fatal(err)
	}
	ends, err := p.CollectionEnds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(ends) == 0 || len(ends) > probeclient.CollectionsKept || !slices.IsSortedFunc(ends, time.Time.Compare) {
		t.Fatalf("%d ends of collections, in order: %v", len(ends), slices.IsSortedFunc(ends, time.Time.Compare))
	}
	if last := ends[len(ends)-1]; last.Before(before.Round(0)) || last.After(time.Now()) {
		t.Errorf("the last collection ended at %v, want after %v", last, before)
	}
}

func checkProfiles(t *testing.T, p *probeclient.Probe, address string) {
	ctx := t.Context()
	stop, stopped := make(chan bool), make(chan bool)
	go func() { // load, until the profile is taken
		defer close(stopped)
		client := &http.Client{Transport: &http.Transport{}}
		defer client.CloseIdleConnections()
		for {
			select {
			case <-stop:
				return
			default:
				if answer, err := client.Get(address); err == nil {
					_, _ = io.Copy(io.Discard, answer.Body)
					answer.Body.Close()
				}
			}
		}
	}()
	data, err := p.Profile(ctx, probeclient.ProfileCPU, 500*time.Millisecond)
	close(stop)
	<-stopped
	if err != nil {
		t.Fatal(err)
	}
	cpu, err := profile.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(cpu.String(), "main.work") && !strings.Contains(cpu.String(), "main.main.func1") {
		t.Errorf("neither main.work nor its caller in the CPU profile:\n%s", cpu)
	}
	for _, kind := range []probeclient.ProfileKind{probeclient.ProfileHeap, probeclient.ProfileAllocs,
		probeclient.ProfileGoroutine, probeclient.ProfileMutex, probeclient.ProfileBlock,
		probeclient.ProfileThreadCreate} {
		data, err := p.Profile(ctx, kind, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := profile.ParseData(data); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	cycles := func() uint64 {
		m, err := p.Metrics(ctx, "/gc/cycles/forced:gc-cycles")
		if err != nil {
			t.Fatal(err)
		}
		return m["/gc/cycles/forced:gc-cycles"].Uint64
	}
	before := cycles()
	if data, err := p.LiveHeap(ctx); err != nil {
		t.Error(err)
	} else if _, err := profile.ParseData(data); err != nil || cycles() != before+1 {
		t.Errorf("live heap: %v, %d collections", err, cycles()-before)
	}
	if err := p.StartFlight(ctx, time.Second); err != nil {
		t.Error(err)
	}
	flight, err := p.Flight(ctx)
	if err != nil || !bytes.HasPrefix(flight, []byte("go 1.")) {
		t.Errorf("flight %.20q, %v", flight, err)
	}
	if err := p.StopFlight(ctx); err != nil {
		t.Error(err)
	}
	_, err = p.Flight(ctx)
	failtest.Want(t, err, fail.Subject, "no flight recorder is running")
	trace, err := p.Trace(ctx, 50*time.Millisecond)
	if err != nil || !bytes.HasPrefix(trace, []byte("go 1.")) {
		t.Errorf("trace %.20q, %v", trace, err)
	}
	stream, err := p.StreamTrace(ctx, 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if streamed, err := io.ReadAll(stream); err != nil || !bytes.HasPrefix(streamed, []byte("go 1.")) {
		t.Errorf("streamed trace %.20q, %v", streamed, err)
	}
	if err := stream.Close(); err != nil {
		t.Error(err)
	}
	_, err = p.StreamTrace(ctx, 0)
	failtest.Want(t, err, fail.BadInput, "duration is 0s")
	_, err = p.StreamTrace(ctx, time.Hour) // more than the probe allows
	failtest.Want(t, err, fail.Subject, "400 Bad Request: want seconds over 0")
	if data, err = p.CPUProfile(ctx, 100*time.Millisecond, 500); err != nil {
		t.Fatal(err)
	}
	if fast, err := profile.ParseData(data); err != nil || fast.Period != int64(2*time.Millisecond) {
		t.Errorf("at 500 Hz: %v, period of %v", err, fast)
	}
	_, err = p.Profile(ctx, "nothing", 0)
	failtest.Want(t, err, fail.Subject, "/pprof/nothing", "404", "threadcreate")
	_, err = p.Profile(ctx, probeclient.ProfileCPU, 0)
	failtest.Want(t, err, fail.BadInput, "duration is 0s")

	long, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := p.Profile(long, probeclient.ProfileCPU, time.Hour)
		ended <- err
	}()
	for begun := false; !begun; { // a profile of our own would get in its way
		data, err := p.Profile(ctx, probeclient.ProfileGoroutine, 0)
		if err != nil {
			t.Fatal(err)
		}
		goroutines, err := profile.ParseData(data)
		if err != nil {
			t.Fatal(err)
		}
		begun = strings.Contains(goroutines.String(), "main.honeProbeCPU") &&
			strings.Contains(goroutines.String(), "pprof.profileWriter")
	}
	_, err = p.Profile(ctx, probeclient.ProfileCPU, time.Second)
	failtest.Want(t, err, fail.Subject, "cpu profiling already in use", "one CPU profile")
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want context canceled", err)
	}
}
