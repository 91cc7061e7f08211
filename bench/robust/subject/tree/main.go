// Command tree is a web service with children of the kinds that are hard to end: in a session
// of their own, orphans of a parent that has ended, deaf to SIGTERM, and without the
// environment that they were given. It listens when all of them live.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// role is set for a process that is a child.
const role = "TREE_ROLE"

func main() {
	if kind := os.Getenv(role); kind != "" {
		child(kind)
		return
	}
	addr := flag.String("addr", "", "address to listen on; empty: sleep")
	children := flag.String("children", "plain,session,orphan,deaf,bare", "kinds of children")
	flag.Parse()
	for kind := range strings.SplitSeq(*children, ",") {
		if err := begin(kind); err != nil {
			log.Fatal(err)
		}
	}
	if *addr == "" {
		forever()
	}
	log.Fatal(http.ListenAndServe(*addr, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "hello, world")
	})))
}

// begin starts a child and waits until it says that it lives.
func begin(kind string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), role+"="+kind)
	if kind == "bare" {
		cmd.Env = []string{role + "=" + kind}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: kind == "session" || kind == "orphan" || kind == "bare"}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
		return fmt.Errorf("child %s said nothing: %w", kind, err)
	}
	return nil
}

func child(kind string) {
	switch kind {
	case "orphan": // its child says that it lives, and it ends
		self, err := os.Executable()
		if err != nil {
			log.Fatal(err)
		}
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), role+"=grandchild")
		cmd.Stdout = os.Stdout
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			log.Fatal(err)
		}
		return
	case "deaf":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	}
	os.Stdout.Write([]byte("."))
	forever()
}

// forever is longer than any trial, and bounded, so that a survivor does not
// stay for ever.
func forever() { time.Sleep(10 * time.Minute) }
