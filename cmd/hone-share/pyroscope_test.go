package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/spec/extension"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
)

// ledgerWithProfiles has one run with a CPU and an allocation profile, and one without any.
func ledgerWithProfiles(t *testing.T) (dir, with, without string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "ledger")
	l, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	store := func(run ledger.Run, files ...string) string {
		d, err := l.BeginRun(run)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile("../../prof/testdata/" + name)
			if err != nil {
				t.Fatal(err)
			}
			_, kind, _ := strings.Cut(name, ".")
			if _, err := d.AddArtefact("profile", kind, bytes.NewReader(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Finish(ledger.Complete, "", nil); err != nil {
			t.Fatal(err)
		}
		return d.ID()
	}
	with = store(ledger.Run{Package: "example.com/shop/cmd/server", Commit: "0123456789", Dirty: true, Variant: "B"},
		"raw.cpu.pb.gz", "after.allocs.pb.gz")
	without = store(ledger.Run{Label: "bare"})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, with, without
}

// The profiles of a run arrive at a Pyroscope with the labels of the run, and the password is in no output.
func TestPushProfiles(t *testing.T) {
	dir, with, without := ledgerWithProfiles(t)
	t.Setenv(passwordVariable, "s3cret-password")
	t.Setenv(tokenVariable, "")
	var arrived []map[string]string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Series []struct {
				Labels  []struct{ Name, Value string }
				Samples []struct{ RawProfile []byte }
			}
		}
		_, password, _ := r.BasicAuth()
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || len(body.Series) != 1 ||
			len(body.Series[0].Samples) != 1 || password != "s3cret-password" {
			t.Errorf("%s: %v, %d series, password %q", r.URL, err, len(body.Series), password)
			return
		}
		if _, err := profile.ParseData(body.Series[0].Samples[0].RawProfile); err != nil {
			t.Error(err)
		}
		labels := map[string]string{}
		for _, l := range body.Series[0].Labels {
			labels[l.Name] = l.Value
		}
		arrived = append(arrived, labels)
		w.Write([]byte("{}"))
	}))
	defer server.Close()
	hone := func(want fail.Kind, args ...string) string {
		t.Helper()
		var said bytes.Buffer
		if code := extension.Main(commands, append([]string{"push", "--pyroscope", server.URL, "--user", "u",
			"--ledger", dir}, args...), &said, &said); code != int(want) {
			t.Errorf("hone share push %q: exit code %d, want %d: %s", args, code, want, &said)
		}
		if strings.Contains(said.String(), "s3cret") {
			t.Errorf("hone share push %q says the password: %s", args, &said)
		}
		return said.String()
	}
	said := hone(0, with)
	if !strings.Contains(said, "pushed: run "+with+": profiles memory 1, process_cpu 1\n") ||
		!strings.Contains(said, `{service_name="server", run="`+with+`"}`) {
		t.Errorf("said %s", said)
	}
	if len(arrived) != 2 {
		t.Fatalf("%d profiles arrived", len(arrived))
	}
	for i, name := range []string{"process_cpu", "memory"} {
		for label, want := range map[string]string{"__name__": name, "service_name": "server", "run": with,
			"variant": "B", "commit": "0123456789-dirty"} {
			if got := arrived[i][label]; got != want {
				t.Errorf("label %s of profile %d is %q, want %q", label, i, got, want)
			}
		}
	}
	if said := hone(0, with, "--service", "shop", "--json"); !strings.Contains(said,
		`"schema": "hone.push.pyroscope/1"`) || arrived[3]["service_name"] != "shop" {
		t.Errorf("said %s; labels %v", said, arrived[3])
	}
	if said := hone(fail.BadInput, without); !strings.Contains(said, "has no profiles") ||
		!strings.Contains(said, "hint: ") {
		t.Errorf("said %s", said)
	}
	hone(fail.BadInput, with, "s3://runs")
	hone(fail.BadInput, with, "--endpoint", "http://127.0.0.1:1")
	hone(fail.BadInput, with, "--header", "nonsense")
	hone(fail.BadInput)
	server.Close()
	if said := hone(fail.Environment, with); !strings.Contains(said, "connection refused") ||
		!strings.Contains(said, "hint: is Pyroscope up") {
		t.Errorf("said %s", said)
	}
}
