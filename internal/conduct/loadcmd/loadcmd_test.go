package loadcmd_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/conduct/loadcmd"
	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

const guardRole = "guard-of-loadcmd-test"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == guardRole {
		os.Exit(guard.Run())
	}
	goleak.VerifyTestMain(m)
}

// shell is a load command of a line of shell.
func shell(script string) spec.LoadCommand {
	return spec.LoadCommand{Words: []string{"sh", "-c", script}, Ops: `(\S+) requests`}
}

func open(t *testing.T, c spec.LoadCommand) (*loadcmd.Session, error) {
	t.Helper()
	return loadcmd.Open(c, loadcmd.Target{
		Address: "127.0.0.1:4321", Templates: map[string]string{"{port}": "4321", "{db.port}": "99"}, Connections: 7,
	}, loadcmd.Options{Guard: []string{os.Args[0], guardRole}, Dir: t.TempDir(), Hard: context.Background(),
		Grace: 100 * time.Millisecond})
}

// run executes a command for a closed loop of length, cut into slices of interval.
func run(t *testing.T, ctx context.Context, c spec.LoadCommand, length, interval time.Duration) ([]load.Slice, error) {
	t.Helper()
	s, err := open(t, c)
	if err != nil {
		return nil, err
	}
	var all []load.Slice
	err = s.Run(ctx, load.Stretch{Schedule: load.ClosedLoop(length), Interval: interval},
		func(slice load.Slice) { all = append(all, slice) })
	return all, err
}

func TestOperationsAndTemplates(t *testing.T) {
	out := filepath.Join(t.TempDir(), "args")
	c := shell(`echo "$@" >` + out + `; echo "12,345 requests"; echo "5 requests" >&2`)
	c.Words = append(c.Words, "sh", "{host}:{port}", "{db.port}", "{connections}", "{duration}", "{seconds}", "{other}")
	all, err := run(t, t.Context(), c, 1500*time.Millisecond, 0)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d slices, error %v", len(all), err)
	}
	one := all[0]
	if one.Answered != 12_350 || one.Sent != 12_350 || one.Balance() != nil {
		t.Errorf("account %+v, want 12,350 operations of both streams", one.Counts)
	}
	if one.Duration <= 0 || one.WorkerCPU <= 0 || one.Service != nil || one.Latency() != nil {
		t.Errorf("a slice of %v with %v of CPU and latency %v, want both times and no latency", one.Duration,
			one.WorkerCPU, one.Latency())
	}
	if got, _ := os.ReadFile(out); string(got) != "127.0.0.1:4321 99 7 2s 2 {other}\n" {
		t.Errorf("the command was given %q", got)
	}
}

func TestAStretchIsExecutionsUntilItsTimeIsUp(t *testing.T) {
	const length = 3 * time.Second // long enough for two, however busy the machine is
	all, err := run(t, t.Context(), shell("sleep 0.1; echo 10 requests"), length, time.Second)
	if err != nil || len(all) < 2 || len(all) > 30 {
		t.Fatalf("%d executions of 0.1 s in 3 s, error %v", len(all), err)
	}
	if last := all[len(all)-1]; last.Offset >= length {
		t.Errorf("the last of %d executions began at %v, after the end at %v", len(all), last.Offset, length)
	}
	for i, s := range all[1:] {
		if s.Offset < all[i].Offset+all[i].Duration {
			t.Errorf("execution %d began at %v, before the one ahead of it had ended", i+1, s.Offset)
		}
	}
}

func TestFaultsOfCommands(t *testing.T) {
	short := shell("echo started; sleep 60")
	short.Limit = 200 * time.Millisecond
	for _, test := range []struct {
		name, want, hint string
		command          spec.LoadCommand
	}{
		{"it fails", "sh ended with exit code 3; the end of its stderr:\nno route", "start the program by hand",
			shell("echo no route >&2; exit 3")},
		{"no number",
			"nothing in its output matches --set load-cmd.ops='(\\S+) requests'; the end of its stdout:\nhello",
			"--set load-cmd.ops", shell("echo hello")},
		{"no output", "it wrote nothing", "--set load-cmd.ops", shell("true")},
		{"no operation", "carried out no operation", "right port", shell("echo 0 requests")},
		{"no number in the group", `"many" is not a number of operations`, "1,234", shell("echo many requests")},
		{"negative", `"-3" is not a number`, "1,234", shell("echo -3 requests")},
		{"never ends", "did not end within 200ms, and was ended; the end of its stdout:\nstarted",
			"--set load-cmd.timeout", short},
		{"killed", "sh was ended by signal 9", "by hand", shell("echo 5 requests; kill -9 $$")},
		{"too much output", "wrote more than hone keeps", "less", shell("head -c 3000000 /dev/zero; echo 5 requests")},
		{"no such program", `there is no load command "no-such-load"`, "PATH",
			spec.LoadCommand{Words: []string{"no-such-load"}, Ops: "(x)"}},
		{"unknown port", "{port3}", "give it to the program",
			spec.LoadCommand{Words: []string{"true", "{port3}"}, Ops: "(x)"}},
		{"unknown need", "{cache.port}", "a need",
			spec.LoadCommand{Words: []string{"true", "{cache.port}"}, Ops: "(x)"}},
		{"no pattern", "does not know how it counts", spec.KnownLoadCommands,
			spec.LoadCommand{Words: []string{"true"}}},
		{"no group", "has no group", "parentheses", spec.LoadCommand{Words: []string{"true"}, Ops: "x"}},
		{"no regular expression", "missing closing", "group", spec.LoadCommand{Words: []string{"true"}, Ops: "(x"}},
		{"no words", "is empty", "--load-cmd", spec.LoadCommand{Ops: "(x)"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			all, err := run(t, t.Context(), test.command, time.Second, 0)
			if err == nil || !strings.Contains(err.Error(), test.want) || len(all) > 0 {
				t.Fatalf("%d slices, error %v\nwant %q", len(all), err, test.want)
			}
			if !strings.Contains(fail.HintOf(err), test.hint) {
				t.Errorf("hint %q, want %q in it", fail.HintOf(err), test.hint)
			}
		})
	}
}

// What the command has started ends with it, also when the measurement is interrupted.
func TestNothingIsLeft(t *testing.T) {
	mark := fmt.Sprintf("3600.%d", os.Getpid())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ready := filepath.Join(t.TempDir(), "ready")
	if err := exec.Command("mkfifo", ready).Run(); err != nil {
		t.Skip("no mkfifo:", err)
	}
	go func() { // ends when the command has written
		_, _ = os.ReadFile(ready)
		cancel()
	}()
	_, err := run(t, ctx, shell("sleep "+mark+" & echo up >"+ready+"; wait"), time.Second, 0)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if out, _ := exec.Command("pgrep", "-f", "^sleep "+mark).Output(); len(out) > 0 {
		t.Errorf("processes are left: %s", out)
	}
}

func TestCount(t *testing.T) {
	for _, test := range []struct {
		pattern, output string
		want            uint64
		fault           string
	}{
		{`(?m)^\s*(\d+) requests in `, "  1234 requests in 1.00s, 2MB read\n", 1234, ""},
		{`(?m)^\s*(\d+) requests completed in `,
			"GET: rps=1\r====== GET ======\n  100 requests completed in 0.1 seconds\nSET\n  200 requests completed in 0.2 seconds\n", 300, ""},
		{`(?m)^done (\S+)$`, "progress 1\rdone 1.5e3\r", 1500, ""},
		{`n=(.*)`, "n=Inf", 0, "not a number"},
		{`n=(.*)`, "n=1e300", 0, "not a number"},
		{`n=(\d+)`, "n=9007199254740992 n=9007199254740992", 0, "add up"},
		{`(x)?y`, "y", 0, "not a number"},
	} {
		got, err := loadcmd.Count(regexp.MustCompile(test.pattern), test.output)
		if got != test.want || (err == nil) != (test.fault == "") ||
			err != nil && !strings.Contains(err.Error(), test.fault) {
			t.Errorf("%s in %q: %d, %v", test.pattern, test.output, got, err)
		}
	}
}

// A count is never made of nothing, whatever a command writes.
func FuzzCount(f *testing.F) {
	f.Add("12 requests\n7 requests")
	f.Add("1,2.e5 requests")
	re := regexp.MustCompile(`(\S+) requests`)
	f.Fuzz(func(t *testing.T, output string) {
		n, err := loadcmd.Count(re, output)
		if err != nil && n != 0 || err == nil && !strings.Contains(output, "requests") || n > 1<<53 {
			t.Fatal(n, err)
		}
	})
}
