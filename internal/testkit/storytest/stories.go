// Package storytest runs the stories of hone and of its extensions: testscript files that execute the built programs.
package storytest

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gohone/hone/internal/testkit/nettest"
)

// Build builds programs of the module in a directory into dir for stories, without debugging information: they link in
// half the time.
func Build(dir, module string, packages ...string) error {
	build := exec.Command("go", append([]string{"build", "-C", module, "-ldflags=-w", "-o", dir}, packages...)...)
	build.Env = append(os.Environ(), "GOFLAGS=")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build %q: %w", packages, err)
	}
	return nil
}

// LinkOnce makes all builds of this process and of those that it starts leave out what a commit is called and debugging
// information, and link the same program once: see linkcache, which it builds into dir. repo is hone's source.
func LinkOnce(dir, repo string) error {
	os.Setenv("GOFLAGS", "-buildvcs=false -ldflags=-w -toolexec="+filepath.Join(dir, "link", "linkcache"))
	return Build(filepath.Join(dir, "link")+"/", repo, "./internal/testkit/linkcache")
}

// Built builds programs into a directory of its own, with what build says, runs tests with it, and removes it. It
// returns the exit code of the tests.
func Built(m *testing.M, repo string, build func(dir string) error) (code int) {
	dir, err := os.MkdirTemp("", "hone-stories-")
	if err == nil {
		defer os.RemoveAll(dir)
		err = errors.Join(build(dir), LinkOnce(dir, repo))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// BuiltExtension is Built for an extension, whose source is here, and hone.
func BuiltExtension(m *testing.M, programs *string) (code int) {
	return Built(m, "../..", func(dir string) error {
		*programs = dir
		return errors.Join(Build(dir, ".", "."), Build(dir, "../..", "./cmd/hone"))
	})
}

// Params are the environment and the commands of all stories. programs is a directory of programs that stand first in
// PATH, $HONEDIR; repo is hone's source, $REPO. In the Go files of a story FIXED is a port, $FIXED; $OTHER is a second.
func Params(t *testing.T, programs, repo string) testscript.Params {
	cache, modCache := GoEnv(t, "GOCACHE"), GoEnv(t, "GOMODCACHE")
	return testscript.Params{
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", programs+string(os.PathListSeparator)+os.Getenv("PATH"))
			e.Setenv("HONEDIR", programs) // a PATH with nothing but hone
			e.Setenv("GOCACHE", cache)
			e.Setenv("GOMODCACHE", modCache)
			e.Setenv("GOFLAGS", os.Getenv("GOFLAGS"))
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, ".cache"))
			e.Setenv("REPO", repo)
			e.Setenv("OTHER", FreePort(t))
			return hardCodePort(e, FreePort(t))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"decides":   decides,
			"refuses":   refuses,
			"await":     await,
			"listening": listening,
			"same":      same,
			"gone":      gone,
			"runid":     runID,
			"flip":      flip,
		},
	}
}

// FreePort is a port of 127.0.0.1 that nothing listens on now.
func FreePort(t testing.TB) string {
	t.Helper()
	_, port, err := net.SplitHostPort(nettest.FreeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	return port
}
