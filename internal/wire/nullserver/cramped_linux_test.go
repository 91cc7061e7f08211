package nullserver

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// crampedEnv makes the test binary the server of TestTooManyConnectionsWaitTheirTurn.
const crampedEnv = "NULLSERVER_TEST_CRAMPED"

// cramped serves with room for a few connections until stdin ends.
func cramped() {
	s, err := Start(Options{Network: "tcp", Address: "127.0.0.1:0", CPU: -1})
	if err == nil {
		limit := unix.Rlimit{Cur: 24, Max: 24}
		err = unix.Setrlimit(unix.RLIMIT_NOFILE, &limit)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(s.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := s.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestTooManyConnectionsWaitTheirTurn: a server process that has no descriptors left
// takes a waiting connection when another ends, though no event announces it.
func TestTooManyConnectionsWaitTheirTurn(t *testing.T) {
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), crampedEnv+"=1")
	child.Stderr = os.Stderr
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	address, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	conns := make([]net.Conn, 60)
	for i := range conns {
		if conns[i], err = net.Dial("tcp", strings.TrimSpace(address)); err != nil {
			t.Fatal(err)
		}
		defer conns[i].Close()
	}
	for _, c := range conns {
		say(t, c, get, answerOK)
		c.Close()
	}
	stdin.Close()
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
}
