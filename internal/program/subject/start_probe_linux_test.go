package subject

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/testkit/leaktest"
	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/text/fail"
)

// A program that closes all descriptors when it begins, as some do that become daemons. The
// probe has by then made the runtime's poller, which the program closes, too.
const closingService = `package main

import (
	"log"
	"net/http"
	"os"
	"syscall"
)

func main() {
	if len(os.Args) < 2 {
		log.Fatal("no address")
	}
	if len(os.Args) > 2 && os.Getenv("HONE_PROBE_SOCKET") != "" { // as if another program had its port
		log.Fatal("listen tcp: bind: address already in use")
	}
	for fd := 3; fd < 1024; fd++ {
		syscall.Close(fd)
	}
	log.Fatal(http.ListenAndServe(os.Args[1], nil))
}
`

// The error of a program that runs without the probe and ends with it names --set no-inject; that
// of one that ends either way does not.
func TestProgramThatClosesTheProbe(t *testing.T) {
	leaktest.None(t)
	dir := moduletest.WriteFiles(t,
		map[string]string{"go.mod": "module example.com/closing\n\ngo 1.22\n", "main.go": closingService})
	b := built(t, build.Variant{Name: "A", Source: "."}, dir, t.TempDir())
	o := StartOptions{Guard: helperGuard(), Readiness: Readiness{Target: "127.0.0.1:{port}"},
		Args:     []string{"127.0.0.1:{port}"},
		ProbeDir: t.TempDir()}
	_, err := Start(t.Context(), b, o)
	if fail.ExitCode(err) != int(fail.Subject) ||
		!strings.Contains(err.Error(), "without hone's probe the same program starts") ||
		!strings.Contains(fail.HintOf(err), "--set no-inject") {
		t.Errorf("%v\nhint: %s", err, fail.HintOf(err))
	}
	o.Args = nil
	_, err = Start(t.Context(), b, o)
	if fail.ExitCode(err) != int(fail.Subject) || !strings.Contains(err.Error(), "no address") ||
		strings.Contains(fail.HintOf(err), "--set no-inject") {
		t.Errorf("%v\nhint: %s", err, fail.HintOf(err))
	}
	o.Args = []string{"127.0.0.1:{port}", "taken"}
	_, err = Start(t.Context(), b, o)
	if fail.ExitCode(err) != int(fail.Subject) || !strings.Contains(err.Error(), "address already in use") ||
		strings.Contains(err.Error(), "probe") {
		t.Errorf("a port that was taken: %v\nhint: %s", err, fail.HintOf(err))
	}
}
