package lab

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// recorded is a run as it is stored and read again.
func recorded(t *testing.T, r Task, workDir string) record.Run {
	t.Helper()
	hide := redact.Env{Key: []byte("key"), Keep: r.KeepEnv}
	u := &Measurement{Lab: &Lab{WorkDir: workDir}, Task: r, Hide: hide}
	doc := record.Run{
		Head: record.Head{ID: "abc", Args: redact.Args(r.Args),
			Binary: build.Binary{Variant: r.Variants[0]}.Redacted(hide)},
		Plan: r.Plan, RateHz: r.RateHz, Slice: r.Slice, Slices: 20, Asked: r.Stored(workDir, hide),
	}
	text, err := json.Marshal(redact.Strings(doc, u.Hider(nil, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "S3CRET") {
		t.Errorf("a secret is stored: %s", text)
	}
	var read record.Run
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func aRequest() Task {
	length := int64(5)
	return Task{Parts: spec.Parts{
		Program: spec.Program{Variants: []build.Variant{{Name: "A", Source: "./cmd/x", Args: []string{"-mode", "fast"},
			Env: []string{"GOGC=50"}, RunEnv: []string{"GOMEMLIMIT=1GiB"}, Toolchain: "go1.26.0",
			BuildFlags: []string{"-tags=x"}}}, Args: []string{"-addr", "127.0.0.1:{port}"}, Dir: "/",
			Grace: time.Second, ReadyTimeout: time.Minute, NoIsolate: true},
		Load: spec.Load{Target: "http://127.0.0.1:{port}/items",
			Protocol: wire.Options{Method: "PUT", Headers: []string{"Accept: */*"},
				Expect: wire.Expect{Status: []string{"2xx"}, Length: &length}},
			Plan: load.Plan{Connections: 4, Depth: 2, Timeout: time.Second}, RateHz: 100, Duration: time.Second,
			Slice: 100 * time.Millisecond, WarmUp: time.Millisecond},
		Test: spec.Test{Answers: spec.AnswerRules{Volatile: true}},
		Observe: spec.Observe{ProfileRate: 200, ProfileTime: time.Second, NoTrace: true,
			Metrics: spec.Metrics{Off: true, Interval: time.Second}},
	}}
}

func TestAgainIsTheSameRequest(t *testing.T) {
	r, dir := aRequest(), t.TempDir()
	got, workDir, err := Again(recorded(t, r, dir), spec.Parts{})
	if err != nil || workDir != dir || !reflect.DeepEqual(got, r) {
		t.Errorf("in %s, %v:\n%+v\nwant\n%+v", workDir, err, got, r)
	}
	// What is not a secret is kept, so that nothing has to be given again.
	r.Target, r.Protocol.Expect.JSON = "http://127.0.0.1:{port}/probe?module=tcp_connect&q=SELECT%201", "status=ok"
	r.Protocol.Headers, r.Variants[0].Env = []string{"X-Tenant: acme"},
		[]string{"MODE=fast", "DB=postgres://db/shop?sslmode=disable"}
	if got, _, err := Again(recorded(t, r, dir), spec.Parts{}); err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("%v:\n%+v\nwant\n%+v", err, got, r)
	}
	// Of a comparison each variant becomes a run of its own.
	r.Variants = append(r.Variants, r.Variants[0])
	r.Duration, r.Budget = 0, time.Minute
	if got, _, err := Again(recorded(t, r, dir), spec.Parts{}); err != nil || got.Validate() != nil ||
		got.Duration != 2*time.Second {
		t.Errorf("of a comparison: %v, %v, %+v", err, got.Validate(), got)
	}
}

func TestAgainAsksForWhatWasLeftOut(t *testing.T) {
	r, dir := aRequest(), t.TempDir()
	r.Target = "http://127.0.0.1:{port}/items?token=S3CRET"
	r.Protocol.Headers, r.Protocol.Body = []string{"Authorization: S3CRET"}, []byte("S3CRET")
	r.Protocol.Feed = &wire.Feed{Names: []string{"id"}, Rows: [][]string{{"S3CRET"}}}
	r.Protocol.Expect.Body = `"token":"S3CRET"`
	r.Variants[0].Env, r.Variants[0].RunEnv = []string{"DB_URL=postgres://u:S3CRET@h/"},
		[]string{"API_KEY=S3CRETS3CRET"}
	stored := recorded(t, r, dir)
	_, _, err := Again(stored, spec.Parts{})
	for _, want := range []string{"--target", "--header", "--body", "6 bytes", "--feed", "--set expect-body",
		"--env DB_URL=", "--env API_KEY="} {
		if fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in: %v", want, err)
		}
	}
	got, _, err := Again(stored, spec.Parts{
		Program: spec.Program{Options: build.VariantOptions{Env: slices.Concat(r.Variants[0].Env,
			r.Variants[0].RunEnv)}},
		Load: spec.Load{Target: r.Target, Protocol: wire.Options{
			Headers: r.Protocol.Headers, Body: r.Protocol.Body, Feed: r.Protocol.Feed,
			Expect: wire.Expect{Body: r.Protocol.Expect.Body},
		}},
		Test: r.Test,
	})
	if err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("%v:\n%+v\nwant\n%+v", err, got, r)
	}
	r = aRequest()
	r.Args = []string{"-password", "S3CRET"}
	if _, _, err := Again(recorded(t, r, dir), spec.Parts{}); err == nil ||
		!strings.Contains(err.Error(), "arguments") {
		t.Errorf("a secret argument: %v", err)
	}
}

func TestAgainRefuses(t *testing.T) {
	old := recorded(t, aRequest(), t.TempDir())
	old.Asked = nil
	gone := recorded(t, aRequest(), t.TempDir()+"/gone")
	changed := recorded(t, aRequest(), t.TempDir())
	changed.Binary.Variant.Overlay = map[string]string{"/x/a.go": "sha256:00"}
	for want, r := range map[string]record.Run{"older hone": old, "no such directory": gone, "/x/a.go": changed} {
		if _, _, err := Again(r, spec.Parts{}); fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
	_, _, err := Again(recorded(t, aRequest(), t.TempDir()),
		spec.Parts{Program: spec.Program{Options: build.VariantOptions{Env: []string{"NONE=1"}}}})
	if err == nil || !strings.Contains(err.Error(), "NONE") {
		t.Errorf("an entry that the run has not: %v", err)
	}
}
