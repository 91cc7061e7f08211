package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/watch/ptytest"
)

// watchedService is a plain service with net/http/pprof, and nothing of hone.
const watchedService = `package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
)

func main() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ln.Addr())
	log.Fatal(http.Serve(ln, nil))
}
`

// The real hone on a real terminal: it attaches, takes profiles, saves, and leaves the
// terminal as it was; what was kept is in the ledger.
func TestWatchOnATerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/watched\n\ngo 1.22\n")
	write(t, filepath.Join(dir, "main.go"), watchedService)
	build := exec.Command("go", "build", "-buildvcs=false", "-o", "service", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	service := exec.Command(filepath.Join(dir, "service"))
	out, err := service.StdoutPipe()
	if err == nil {
		err = service.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = service.Process.Kill()
		_ = service.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSpace(address)

	cmd := exec.Command(honeBinary, "watch", address, "--interval", "200ms")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	term := ptytest.Start(t, cmd, 100, 30)
	term.AwaitText(address+"  PID ", "(service)", "cores", "goroutines", "q quit")
	term.Press("p")
	term.AwaitText("profiles kept as run ")
	term.Press("s")
	term.AwaitText("readings kept as run ")
	term.Press("q")
	if code := term.AwaitExit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	term.WantRestored()
	text := term.AwaitText("next: hone profile top ", "next: hone show ")
	if h := history(t, dir); strings.Count(h, "complete") != 2 {
		t.Errorf("want two runs:\n%s\nthe screen:\n%s", h, text)
	}
}
