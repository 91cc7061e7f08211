package preflight

import (
	"encoding/json"
	"errors"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/sys/sockets"
	"github.com/gohone/hone/internal/text/fail"
)

// checkInChild runs Check in a child process, behind a shell command that lowers limits.
func checkInChild(t *testing.T, lower string, n Need) (code int, out string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no ulimit here")
	}
	need, err := json.Marshal(n)
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", "-c", lower+` && exec "$0" "$1"`, exe, string(need))
	c.Env = append(os.Environ(), childEnv+"=check")
	text, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), string(text)
}

func TestTooFewOpenFilesAreRefused(t *testing.T) {
	code, out := checkInChild(t, "ulimit -n 64", Need{Connections: 1000, OtherFiles: 64})
	for _, want := range []string{
		"1000 connections need 1064 open files, and this process may open 64", "hint: ulimit -n 1064", "-c",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in %q", want, out)
		}
	}
	if code != int(fail.Environment) {
		t.Errorf("exit code %d, want %d", code, fail.Environment)
	}
}

// The soft limit does not count: the runtime raises it.
func TestAsManyFilesAsTheHardLimitAreEnough(t *testing.T) {
	for connections, want := range map[int]int{136: 0, 137: int(fail.Environment)} {
		code, out := checkInChild(t, "ulimit -Sn 50 && ulimit -Hn 200", Need{Connections: connections, OtherFiles: 64})
		if code != want {
			t.Errorf("%d connections: exit code %d, want %d: %s", connections, code, want, out)
		}
	}
}

func TestAllThatFallsShortIsSaidAtOnce(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("memory is known on Linux only")
	}
	code, out := checkInChild(t, "ulimit -n 64", Need{
		Connections: 1000, Target: "127.0.0.1:9", MemoryBytes: 1 << 62,
		Sources: []netip.Addr{netip.MustParseAddr("240.0.2.7")}, // reserved (RFC 1112, section 4): no machine's
	})
	for _, want := range []string{"open files", "source 240.0.2.7", "GB of memory", "ulimit -n 1000", "ip address",
		"-c"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in %q", want, out)
		}
	}
	if code != int(fail.Environment) {
		t.Errorf("exit code %d, want %d", code, fail.Environment)
	}
}

func TestWhatWorksPasses(t *testing.T) {
	for name, n := range map[string]Need{
		"nothing":     {},
		"Unix socket": {Connections: 1, OtherFiles: 10, MemoryBytes: 1},
		"loopback": {Connections: 2, Target: "127.0.0.1:9",
			Sources: []netip.Addr{netip.MustParseAddr("127.0.0.1")}},
		"no source":            {Connections: 2, Target: "127.0.0.1:9"},
		"a port not yet known": {Connections: 2, Target: "127.0.0.1:{port}"},
		"a host of no address": {Connections: 2, Target: "256.256.256.256:9"},
	} {
		if err := Check(n); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSourcesThatCannotReachTheTarget(t *testing.T) {
	v4, v6 := netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("::1")
	far := netip.MustParseAddrPort("240.0.2.1:80")
	for name, c := range map[string]struct {
		sources []netip.Addr
		target  netip.AddrPort
		want    string
	}{
		"another family": {[]netip.Addr{v6}, netip.AddrPortFrom(v4, 80),
			"no way from source ::1 to the target 127.0.0.1"},
		"loopback to far": {[]netip.Addr{v4}, far, "no way from source 127.0.0.1 to the target 240.0.2.1"},
		"not ours": {[]netip.Addr{far.Addr(), far.Addr().Next(), far.Addr().Next().Next(),
			netip.MustParseAddr("240.0.2.9")}, far,
			"not an address of this machine: source 240.0.2.1, 240.0.2.2, 240.0.2.3 and 1 more"},
		"fine": {[]netip.Addr{v4}, netip.AddrPortFrom(v4, 80), ""},
	} {
		got := checkSources(c.sources, []netip.AddrPort{c.target})
		if c.want == "" && got != nil || c.want != "" && (got == nil || got.Error() != c.want || got.Hint == "") {
			t.Errorf("%s: got %v, want %q", name, got, c.want)
		}
	}
}

func TestTheTableOfSocketsIsTheKernels(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the table of sockets is read on Linux only")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	all, err := machine{files: os.DirFS("/")}.sockets()
	if err != nil {
		t.Fatal(err)
	}
	var heard, connected bool
	for _, s := range all {
		heard = heard || s.State == sockets.Listen && s.Local.String() == l.Addr().String()
		connected = connected || s.Local.String() == c.LocalAddr().String() && s.Remote.String() == l.Addr().String()
	}
	if !heard || !connected {
		t.Errorf("listener seen: %v, connection seen: %v", heard, connected)
	}
}
