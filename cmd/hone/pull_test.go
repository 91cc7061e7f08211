package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/profstore"
)

// A store that wants a token gets it from the environment or a file, and it is in no output and in no file of the
// ledger.
func TestPullHasTheToken(t *testing.T) {
	const token = "s3cret-t0ken-of-the-store"
	captures, _, err := readCaptureFile("../../prof/testdata/raw.cpu.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	store := profstore.Pyroscope(profstore.Shop(captures[0].Profile))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token || r.Header.Get("X-Scope-OrgID") != "acme" {
			http.Error(w, "no: "+r.Header.Get("Authorization"), http.StatusUnauthorized)
			return
		}
		store.ServeHTTP(w, r)
	}))
	defer server.Close()
	dir := t.TempDir()
	file, led := filepath.Join(dir, "token"), filepath.Join(dir, "ledger")
	if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		env  string
		args []string
		code int
		want string
	}{
		{"environment", "HONE_PULL_TOKEN=" + token, nil, 0, "kept as run"},
		{"file", "HONE_PULL_TOKEN=other", []string{"--token-file", file}, 0, "kept as run"},
		{"no token", "HONE_PULL_TOKEN=", nil, 2, "401"},
		{"another token", "HONE_PULL_TOKEN=" + token + "x", nil, 2, "HONE_PULL_TOKEN"},
		{"no file", "HONE_PULL_TOKEN=", []string{"--token-file", file + "x"}, 2, "no such file"},
		{"a header", "HONE_PULL_TOKEN=", []string{"-H", "bare"}, 2, "want 'Name: value'"},
	} {
		args := append([]string{"pull", "pyroscope", server.URL, "--query", `{service_name="shop"}`, "-H",
			"X-Scope-OrgID: acme", "--quiet", "--ledger", led}, c.args...)
		cmd := exec.Command(honeBinary, args...)
		cmd.Env = append(os.Environ(), c.env)
		said, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(said), c.want) ||
			strings.Contains(string(said), token) {
			t.Errorf("%s: exit code %d: %s", c.name, code, said)
		}
	}
	if err := filepath.WalkDir(led, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), token) {
			t.Errorf("the token is in %s", path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
