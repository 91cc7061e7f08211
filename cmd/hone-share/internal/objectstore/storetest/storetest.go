// Package storetest starts a real S3 server on this machine, for tests: the Versity gateway over a directory. It checks
// signatures and answers as S3 does. tools/s3server names its version; the go command builds it once and keeps it.
package storetest

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/internal/sys/filelock"
	"github.com/gohone/hone/internal/testkit/nettest"
)

// The credentials of its one user.
const (
	AccessKey = "AKIDTESTTESTTEST"
	SecretKey = "s3cretS3cretS3cretS3cret"
)

// Server is one that runs, on a loopback port.
type Server struct {
	URL string // http://127.0.0.1:PORT
	// Dir has a directory for each bucket, and in it a file for each object.
	Dir string
}

// environment is that of the process before a test changes it: HOME says where the build cache is. lock is held by the
// process that builds: two that begin at the same time would both compile all of it.
var (
	environment = os.Environ()
	lock        = filepath.Join(os.TempDir(), "hone-s3server.lock")
)

// build finds the program, once for all tests of a process.
var build = sync.OnceValues(func() (string, error) {
	unlock, err := filelock.Wait(context.Background(), lock)
	if err != nil {
		return "", err
	}
	defer unlock()
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/gohone/hone")
	list.Env = environment
	root, err := list.Output()
	if err != nil {
		return "", err
	}
	dir := strings.TrimSpace(string(root))
	// -n builds a tool, keeps it in the build cache, and prints where. CGO stays out: it would be built twice.
	cmd := exec.Command("go", "tool", "-modfile=tools/s3server/go.mod", "-n", "versitygw")
	cmd.Dir, cmd.Env = dir, append(slices.Clone(environment), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	var said bytes.Buffer
	cmd.Stderr = &said
	path, err := cmd.Output()
	if err != nil {
		return "", &buildError{err, said.String()}
	}
	return strings.TrimSpace(string(path)), nil
})

type buildError struct {
	error
	said string
}

func (e *buildError) Error() string { return e.error.Error() + ": " + e.said }

// Start starts a server with these buckets, and waits until it listens. It is killed when the test ends. Where it
// cannot be built, which takes its modules, the test is skipped.
func Start(t *testing.T, buckets ...string) *Server {
	t.Helper()
	program, err := build()
	if err != nil {
		t.Skipf("no S3 server: %v", err)
	}
	s := &Server{Dir: t.TempDir()}
	for _, b := range buckets {
		if err := os.Mkdir(filepath.Join(s.Dir, b), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	address := nettest.FreeAddress(t)
	s.URL = "http://" + address
	cmd := exec.Command(program, "--quiet", "--port", address, "posix", "--sidecar", t.TempDir(), s.Dir)
	cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY_ID="+AccessKey, "ROOT_SECRET_ACCESS_KEY="+SecretKey)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { // until the program ends, which the cleanup sees to
		_ = cmd.Wait() // how it ended is in what it said
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended by itself
		<-ended
		if t.Failed() {
			t.Logf("the S3 server said: %s", said.String())
		}
	})
	awaitListener(t, address, ended)
	return s
}

func awaitListener(t *testing.T, address string, ended <-chan struct{}) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return
		}
		select {
		case <-ended:
			t.Fatal("the S3 server ended")
		case <-time.After(5 * time.Millisecond):
		}
	}
	t.Fatal("the S3 server does not listen after a minute")
}

// Credentials sets the variables of a test to the server's user, and takes those away that would
// lead elsewhere.
func Credentials(t *testing.T) {
	t.Helper()
	for _, name := range []string{"AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3",
		"AWS_REGION", "AWS_DEFAULT_REGION",
		"AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_ACCESS_KEY", "AWS_SECRET_KEY"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("AWS_ACCESS_KEY_ID", AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", SecretKey)
}
