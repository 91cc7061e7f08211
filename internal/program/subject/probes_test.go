package subject

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/sys/processes"
	"github.com/gohone/hone/internal/testkit/leaktest"
	"github.com/gohone/hone/internal/testkit/moduletest"
)

// forking executes itself for what it is asked by a line: "child" with its environment,
// "bare" without it. Its children allocate what a byte of their input asks for, in MB.
const forking = `package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

func init() { runtime.MemProfileRate = 1 }

var kept [][]byte

func allocateMegabyte() { kept = append(kept, make([]byte, 1<<20)) }

func main() {
	if os.Getenv("ANEW") != "" {
		os.Unsetenv("ANEW")
		log.Fatal(syscall.Exec(os.Args[0], os.Args, os.Environ()))
	}
	if os.Getenv("CHILD") != "" {
		fmt.Println("up")
		for {
			var b [1]byte
			if _, err := os.Stdin.Read(b[:]); err != nil {
				return
			}
			for range b[0] {
				allocateMegabyte()
			}
			fmt.Println("done")
		}
	}
	l, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	conn, err := l.Accept()
	if err != nil {
		log.Fatal(err)
	}
	var inputs []io.Writer
	var outputs []*bufio.Reader
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		var i, n int
		if _, err := fmt.Sscanf(lines.Text(), "allocate %d %d", &i, &n); err == nil {
			inputs[i].Write([]byte{byte(n)})
			outputs[i].ReadString('\n')
			fmt.Fprintln(conn, "done")
			continue
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = []string{"CHILD=1"}
		if lines.Text() == "child" {
			cmd.Env = append(os.Environ(), "CHILD=1")
		}
		in, _ := cmd.StdinPipe()
		out, _ := cmd.StdoutPipe()
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			log.Fatal(err)
		}
		inputs, outputs = append(inputs, in), append(outputs, bufio.NewReader(out))
		outputs[len(outputs)-1].ReadString('\n')
		go cmd.Wait()
		fmt.Fprintln(conn, cmd.Process.Pid)
	}
}
`

// A program that executes itself is seen in all of its processes, those that start late
// included; one that ends keeps its counters in the sum. A child that does not inherit the
// variable is not asked.
func TestProbesOfAllProcesses(t *testing.T) {
	leaktest.None(t)
	dir := moduletest.WriteFiles(t,
		map[string]string{"go.mod": "module example.com/forking\n\ngo 1.22\n", "main.go": forking})
	b := built(t, build.Variant{Name: "A", Source: "."}, dir, t.TempDir())
	p := start(t, b, StartOptions{Readiness: Readiness{Target: "127.0.0.1:{port}"}, Args: []string{"127.0.0.1:{port}"},
		ProbeDir: t.TempDir()})
	conn, err := net.Dial("tcp", p.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	answers := bufio.NewReader(conn)
	ask := func(line string) string {
		t.Helper()
		fmt.Fprintln(conn, line)
		answer, err := answers.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(answer)
	}
	probes, totals := p.Probes(), &probeclient.Totals{}
	read := func(want ...int) probeclient.Runtime {
		t.Helper()
		a, err := probes.RuntimeMetrics(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(want)
		if !slices.Equal(a.Asked, want) || len(a.Of) != len(want) {
			t.Errorf("asked %v, %d answered; want %v", a.Asked, len(a.Of), want)
		}
		return totals.Take(a).Runtime()
	}
	const mega = 1 << 20
	one := read(p.PID())
	first, second := number(t, ask("child")), number(t, ask("child"))
	bare := number(t, ask("bare"))
	ask("allocate 0 20")
	ask("allocate 1 30")
	ask("allocate 2 40")
	three := read(p.PID(), first, second)
	if grown := three.Sub(one).AllocBytes; grown < 50*mega || grown > 60*mega {
		t.Errorf("two children allocated %d MB, want 50", grown/mega)
	}
	if three.HeapObjectBytes < 50*mega || three.Goroutines <= one.Goroutines {
		t.Errorf("heap of %d MB and %d goroutines, want those of all processes", three.HeapObjectBytes/mega,
			three.Goroutines)
	}

	info, err := os.Stat(fmt.Sprintf("%s.%d", p.ProbeSocket(), first))
	if err != nil || info.Mode() != os.ModeSocket|0o600 {
		t.Errorf("the child's socket: %v, %v", info, err)
	}
	profiles, err := probes.Profiles(t.Context(), func(ctx context.Context, probe *probeclient.Probe) ([]byte, error) {
		return probe.LiveHeap(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := profiles.Join()
	if err != nil {
		t.Fatal(err)
	}
	var sampled int64
	for _, s := range whole.Sample {
		if s.Location[0].Line[0].Function.Name == "main.allocateMegabyte" {
			sampled += s.Value[1]
		}
	}
	if sampled < 50*mega || sampled >= 51*mega { // the list of what is kept is in it, too
		t.Errorf("the profile has %d MB of two children, want 50", sampled/mega)
	}

	// What has no probe is still seen by its CPU time, and who it is.
	if _, err := p.Usage(); err != nil {
		t.Fatal(err)
	}
	var seen []int
	for _, one := range p.CPUByProcess() {
		if one.CPU > 0 {
			seen = append(seen, one.PID)
		}
	}
	if slices.Sort(seen); !slices.Contains(seen, bare) || len(seen) != 4 {
		t.Errorf("CPU time of %v, want that of 4 processes, %d among them", seen, bare)
	}

	endProcess(t, first)
	await(t, "the child to end", func() bool { _, alive := processes.Name(first); return !alive })
	two := read(p.PID(), second)
	if two.AllocBytes < three.AllocBytes || two.GCCycles < three.GCCycles {
		t.Errorf("the sum fell from %+v to %+v", three, two)
	}
	if two.HeapObjectBytes > three.HeapObjectBytes-15*mega {
		t.Errorf("the heap of %d MB still has that of the ended process", two.HeapObjectBytes/mega)
	}
	if _, err := os.Lstat(fmt.Sprintf("%s.%d", p.ProbeSocket(), first)); !os.IsNotExist(err) {
		t.Errorf("the socket of the ended process: %v", err)
	}
	if _, err := p.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Dir(p.ProbeSocket())); !os.IsNotExist(err) {
		t.Errorf("the directory of the sockets is left: %v", err)
	}

	// A program that executes itself anew has another probe than before, under the same PID.
	p = start(t, b, StartOptions{Readiness: Readiness{Target: "127.0.0.1:{port}"},
		Args: []string{"127.0.0.1:{port}"}, ProbeDir: t.TempDir(),
		Env: []string{"ANEW=1"}})
	probes, totals = p.Probes(), &probeclient.Totals{}
	if read(p.PID()).AllocBytes == 0 {
		t.Error("the probe of the program that executed itself anew says nothing")
	}
}
