package fleet

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/agents"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

func TestAllow(t *testing.T) {
	for text, c := range map[string]struct{ in, out []string }{
		"10.0.0.0/8:8000-9000": {[]string{"10.1.2.3:8000", "10.1.2.3:9000"},
			[]string{"10.1.2.3:7999", "11.0.0.1:8000", "[::1]:8000"}},
		"192.0.2.7":           {[]string{"192.0.2.7:1", "[::ffff:192.0.2.7]:80"}, []string{"192.0.2.8:80"}},
		"192.0.2.7:443":       {[]string{"192.0.2.7:443"}, []string{"192.0.2.7:80"}},
		"[2001:db8::/32]:443": {[]string{"[2001:db8::1]:443"}, []string{"[2001:db9::1]:443", "[2001:db8::1]:80"}},
		"::1":                 {[]string{"[::1]:80"}, []string{"127.0.0.1:80", "/run/app.sock"}},
		"[2001:db8::1]:80-81": {[]string{"[2001:db8::1]:81"}, nil},
	} {
		a, err := ParseAllow(text)
		if err != nil || a.String() != text {
			t.Errorf("%s is read as %s, %v", text, a, err)
		}
		may := guard([]Allow{a})
		for _, address := range c.in {
			if err := may("tcp", address); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
		for _, address := range c.out {
			if may("tcp", address) == nil {
				t.Errorf("%s allows %s", text, address)
			}
		}
	}
	for _, text := range []string{"", "host:80", "10.0.0.0/33", "10.0.0.1:0", "10.0.0.1:9-8", "10.0.0.1:70000", "[::1",
		"[::1]x", "10.0.0.1:"} {
		if _, err := ParseAllow(text); fail.KindOf(err) != fail.BadInput {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A key that others may read, or that is none, is refused; two processes that begin together have the same.
func TestKeys(t *testing.T) {
	dir := t.TempDir()
	both := make(chan Keys, 2)
	for range 2 {
		go func() {
			k, err := KeysIn(dir)
			if err != nil {
				t.Error(err)
			}
			both <- k
		}()
	}
	one, other := <-both, <-both
	if one.Token == "" || one.Token != other.Token || one.Signer.Key() != other.Signer.Key() {
		t.Errorf("two pairs of keys: %v, %v", one, other)
	}
	if err := os.Chmod(one.SeedFile, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := KeysIn(dir); fail.KindOf(err) != fail.Storage ||
		!strings.Contains(err.Error(), "other users may read it") {
		t.Errorf("%v", err)
	}
	if err := errors.Join(os.Chmod(one.SeedFile, 0o600), os.WriteFile(one.SeedFile, []byte("x"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := KeysIn(dir); fail.KindOf(err) != fail.Storage {
		t.Errorf("%v", err)
	}
}

// Jobs that name files or programs of the agent's machine are refused on both sides.
func TestJobs(t *testing.T) {
	base := agents.Job{Load: spec.Load{Target: "http://127.0.0.1:1/", Plan: load.Plan{Connections: 1, Depth: 1, Timeout: 1}}}
	for want, change := range map[string]func(*agents.Job){
		"a file of certificates": func(j *agents.Job) { j.Target, j.Protocol.TLS.CAs = "https://127.0.0.1:1/", "/etc/passwd" },
		"files of types":         func(j *agents.Job) { j.Target, j.Protocol.GRPC.ProtoSet = "grpc://127.0.0.1:1/a.B/C", "/etc/passwd" },
		"a load command":         func(j *agents.Job) { j.LoadCommand = spec.LoadCommand{Words: []string{"touch", "/tmp/x"}} },
		"a Unix socket":          func(j *agents.Job) { j.Target = "unix:/run/app.sock:/" },
		"--cpus":                 func(j *agents.Job) { j.Plan.CPUs = []int{1} },
	} {
		j := base
		change(&j)
		if err := checkJob(j); fail.KindOf(err) != fail.BadInput || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	var more bytes.Buffer
	w := gzip.NewWriter(&more)
	_, err := w.Write([]byte(`{"target": "http://127.0.0.1:1/", "execute": "rm"}`))
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(more.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for want, raw := range map[string]json.RawMessage{"unknown field": raw, "unexpected end": raw[:0],
		"gzip": json.RawMessage(`"YWJjZGVmZ2hpamtsbW5vcA=="`)} {
		if _, err := readJob(raw); fail.KindOf(err) != fail.BadInput || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
