package watch

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/subject"
)

// The test executable is also the guard of started programs, and a service to be watched:
// it turns into one of them by its first argument.
func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0") // children would linger for a second at their end
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "run-helper:guard":
			os.Exit(subject.Guard())
		case "run-helper:service":
			runService()
		}
	}
	goleak.VerifyTestMain(m)
}

// runService listens, says where on its standard output, accepts connections and keeps
// them, and burns CPU until it is killed.
func runService() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(3)
	}
	_, _ = os.Stdout.WriteString(strconv.Itoa(l.Addr().(*net.TCPAddr).Port) + "\n")
	go func() {
		for end := time.Now().Add(time.Minute); time.Now().Before(end); {
			time.Sleep(time.Millisecond)
			_, _ = os.ReadFile("/dev/null")
		}
		os.Exit(4) // nobody killed it
	}()
	for {
		if _, err := l.Accept(); err != nil {
			os.Exit(3)
		}
	}
}

// must returns a value, and fails the test if it is absent.
func must(t *testing.T, what string, v interface{ Get() (float64, bool) }) float64 {
	t.Helper()
	x, known := v.Get()
	if !known {
		t.Errorf("%s is not known", what)
	}
	return x
}

func sprint(v any) string { return fmt.Sprint(v) }
