package series

import (
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// serve serves a bare repository by git's own HTTP backend, as GitHub and GitLab do. Requests need a token. sent counts
// the bytes of its answers.
func serve(t *testing.T) (url, bare string, sent *atomic.Int64) {
	t.Helper()
	source := repository(t)
	root := t.TempDir()
	bare = filepath.Join(root, "repo.git")
	gitIn(t, root, "clone", "-q", "--bare", source, bare)
	gitIn(t, bare, "config", "http.receivepack", "true")
	gitIn(t, bare, "config", "uploadpack.allowFilter", "true") // as both have it
	execPath, err := exec.Command("git", "--exec-path").Output()
	must(t, err)
	backend := filepath.Join(strings.TrimSpace(string(execPath)), "git-http-backend")
	if _, err := os.Stat(backend); err != nil {
		t.Skip("no git-http-backend here")
	}
	handler := &cgi.Handler{Path: backend, Stderr: os.Stderr, Env: []string{"GIT_PROJECT_ROOT=" + root,
		"GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "REMOTE_USER=job"}}
	sent = &atomic.Int64{}
	server := httptest.NewServer(withToken(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(counted{w, sent}, r)
	})))
	t.Cleanup(server.Close)
	return server.URL + "/repo.git", bare, sent
}

// cloneOfServer is a shallow clone with the token in its configuration, as actions/checkout leaves it.
func cloneOfServer(t *testing.T) string {
	t.Helper()
	url, _, _ := serve(t)
	return cloneOf(t, url)
}

func cloneOf(t *testing.T, url string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "clone")
	gitIn(t, t.TempDir(), "-c", tokenKey(url)+"="+tokenHeader, "clone", "-q", "--depth=1", url, dir)
	gitIn(t, dir, "config", tokenKey(url), tokenHeader)
	return dir
}

// counted counts the bytes of answers.
type counted struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c counted) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return c.ResponseWriter.Write(p)
}

// Who adds a point to a branch fetches the file of its month, and no report; who reads points, no report either. Servers
// that know no filter, or give no single object, send all.
func TestABranchIsFetchedInParts(t *testing.T) {
	noise := func(size int) string {
		text := make([]byte, size)
		for i := range text {
			text[i] = 'a' + byte(rand.N(26))
		}
		return string(text)
	}
	const reports, months = 600_000, 12
	for name, c := range map[string]struct {
		filter, protocol      string
		forAppend, forReading int64 // at most, in bytes
	}{
		"as GitHub":         {"true", "2", 60_000, 700_000},
		"no filter":         {"false", "2", math.MaxInt64, math.MaxInt64},
		"no single objects": {"true", "0", math.MaxInt64, math.MaxInt64},
	} {
		t.Run(name, func(t *testing.T) {
			url, bare, sent := serve(t)
			gitIn(t, bare, "config", "uploadpack.allowFilter", c.filter)
			t.Setenv("GIT_CONFIG_COUNT", "1")
			t.Setenv("GIT_CONFIG_KEY_0", "protocol.version")
			t.Setenv("GIT_CONFIG_VALUE_0", c.protocol)
			s := openStore(t, "branch:", cloneOf(t, url))
			var points []Point
			for n := range months {
				p := pointOf("main", n)
				p.At, p.Machine = p.At.AddDate(0, n, 0), noise(40_000)
				points = append(points, p)
			}
			must(t, s.Append(t.Context(), points, map[string][]byte{"a.html": []byte(noise(reports))}))
			last := points[months-1]
			last.Commit.Hash = hashOf(months)
			sent.Store(0)
			must(t, s.Append(t.Context(), []Point{last}, map[string][]byte{"b.html": []byte("b")}))
			if n := sent.Swap(0); n > c.forAppend {
				t.Errorf("to append a point takes %d bytes", n)
			}
			holdsOnce(t, readStore(t, s), months+1)
			if n := sent.Load(); n > c.forReading {
				t.Errorf("to read the points takes %d bytes", n)
			}
			if text, err := s.Report(t.Context(), "a.html"); err != nil || len(text) != reports {
				t.Errorf("report of %d bytes, %v", len(text), err)
			}
		})
	}
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
