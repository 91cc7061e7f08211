package turns

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/process"
)

// An answer is a result and the number of its turn; anything else ends the turns.
func TestAnswersThatAreNone(t *testing.T) {
	good := "BenchmarkX \t 10 \t 5.0 ns/op\n\n" + turnEnds + " 3 17 4194304 100 2 1073741824\n"
	var one Turn
	if err := one.read(3, 1, good); err != nil || one.collections != 17 || benchtext.Nanos(one.Result) != 5 ||
		one.Settings != (Settings{GOGC: 100, GOMAXPROCS: 2, MemoryLimit: 1 << 30}) {
		t.Errorf("%+v, %v", one, err)
	}
	for _, bad := range []string{"", good[:10], strings.Replace(good, " 3 17", " 4 17", 1),
		"BenchmarkX-2\n\n" + turnEnds + " 3 17 4194304 100 2 1073741824\n", good + good} {
		if err := (&Turn{}).read(3, 1, bad); !errors.Is(err, ErrNoAnswer) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func FuzzTurnRead(f *testing.F) {
	f.Add(1, "BenchmarkX \t 10 \t 5.0 ns/op\n\n"+turnEnds+" 1 17 4194304 100 2 1073741824\n")
	f.Fuzz(func(t *testing.T, n int, output string) {
		var one Turn
		if err := one.read(n, 1, output); (err == nil) != (one.Result != nil) {
			t.Errorf("%v with the result %v", err, one.Result)
		}
	})
}

// A process that hangs is ended after the time for a turn, and one that ignores its end is killed.
func TestALivingProcessThatHangs(t *testing.T) {
	if !CanLive {
		t.Skip("hone starts no living processes on this system")
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell here")
	}
	l, err := Start(t.Context(), process.Program{Path: sh, Dir: t.TempDir(), Env: os.Environ()},
		10*time.Millisecond, 0, "-c", "trap '' TERM; while :; do sleep 0.05; done")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Kill()
	if _, err := l.Take(t.Context(), "X", 1); !errors.Is(err, ErrNoAnswer) ||
		!strings.Contains(err.Error(), "more than 10ms") {
		t.Errorf("%v", err)
	}
}
