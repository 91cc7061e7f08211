package series

import (
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// serve serves a bare repository by git's own HTTP backend, as GitHub and GitLab do. Requests need a token.
func serve(t *testing.T) (url, bare string) {
	t.Helper()
	source := repository(t)
	root := t.TempDir()
	bare = filepath.Join(root, "repo.git")
	gitIn(t, root, "clone", "-q", "--bare", source, bare)
	gitIn(t, bare, "config", "http.receivepack", "true")
	execPath, err := exec.Command("git", "--exec-path").Output()
	must(t, err)
	backend := filepath.Join(strings.TrimSpace(string(execPath)), "git-http-backend")
	if _, err := os.Stat(backend); err != nil {
		t.Skip("no git-http-backend here")
	}
	handler := &cgi.Handler{Path: backend, Stderr: os.Stderr, Env: []string{"GIT_PROJECT_ROOT=" + root,
		"GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "REMOTE_USER=job"}}
	server := httptest.NewServer(withToken(handler))
	t.Cleanup(server.Close)
	return server.URL + "/repo.git", bare
}

// cloneOfServer is a shallow clone with the token in its configuration, as actions/checkout leaves it.
func cloneOfServer(t *testing.T) string {
	t.Helper()
	url, _ := serve(t)
	return cloneOf(t, url)
}

func cloneOf(t *testing.T, url string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "clone")
	gitIn(t, t.TempDir(), "-c", tokenKey(url)+"="+tokenHeader, "clone", "-q", "--depth=1", url, dir)
	gitIn(t, dir, "config", tokenKey(url), tokenHeader)
	return dir
}

const tokenHeader = "AUTHORIZATION: basic c2VjcmV0"

func tokenKey(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return "http." + scheme + "://" + host + "/.extraheader"
}

func withToken(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "basic c2VjcmV0" {
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
