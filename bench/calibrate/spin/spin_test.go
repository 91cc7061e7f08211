package spin

import (
	"flag"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestSpinRunsEveryIteration: the result is the exclusive or of all numbers below n, which
// a loop that was left out could not know.
func TestSpinRunsEveryIteration(t *testing.T) {
	for n, want := range map[int]uint64{-1: 0, 0: 0, 1: 0, 2: 1, 3: 3, 4: 0, 1001: 1000} {
		if got := loop(n); got != want {
			t.Errorf("%d iterations: %d, want %d", n, got, want)
		}
	}
}

func TestSpinAllocatesNothing(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { Spin(1001) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestAnIterationTakesTime: less than 0.05 ns would be less than a fifth of a cycle at 4
// GHz; then the compiler has left the loop out.
func TestAnIterationTakesTime(t *testing.T) {
	if ns := NanosPerIteration(); !(ns > 0.05) {
		t.Errorf("%v ns per iteration: no loop was run", ns)
	}
}

func TestFlagTakesWholeNumbers(t *testing.T) {
	for arg, want := range map[string]int{"0": 0, "120": 120, "-1": -1, "": -1, "1.5": -1, "x": -1} {
		fs, _, n := flags("", flag.ContinueOnError)
		fs.SetOutput(io.Discard)
		err := fs.Parse([]string{"-spin", arg})
		if (err != nil) != (want < 0) || (err == nil && int(*n) != want) {
			t.Errorf("-spin %q: %d, %v", arg, *n, err)
		}
	}
}

// TestTheServicesAnswerAllTheSame: what spins in front of a service changes no byte.
func TestTheServicesAnswerAllTheSame(t *testing.T) {
	w := httptest.NewRecorder()
	Handler(http.NotFoundHandler(), 10).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if w.Code != http.StatusNotFound {
		t.Errorf("status %d, want that of the handler", w.Code)
	}

	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	client, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	server, err := Listener(ln, 10, 2).Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if _, err := server.Write([]byte("answers")); err != nil {
		t.Fatal(err)
	}
	half, ok := server.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		t.Fatal("the connection cannot end its sending side alone")
	}
	if got, err := io.ReadAll(client); err != nil || string(got) != "answers" {
		t.Errorf("%q, %v", got, err)
	}
}
