package backend

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

// TestMain lets the test's own executable be a backend, as services do.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "-"+Flag {
		if err := Serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func TestBackendAnswersOverHTTPAndInLines(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b, err := Start(ctx)
	if err != nil {
		t.Fatal(err)
	}
	const wait = 3 * time.Millisecond
	began := time.Now()
	answer, err := b.Client(1).Get(b.URL(wait))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || string(text) != "done\n" || time.Since(began) < wait {
		t.Errorf("%q after %v, %v", text, time.Since(began), err)
	}
	conn, err := net.Dial("tcp", b.Lines)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	began = time.Now()
	fmt.Fprintln(conn, wait)
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || line != "done\n" || time.Since(began) < wait {
		t.Errorf("%q after %v, %v", line, time.Since(began), err)
	}
}
