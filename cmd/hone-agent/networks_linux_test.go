package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/testkit/storytest"
)

// namespaces are network namespaces with a link each to a bridge of this machine, which has the address 10.231.77.1;
// the others follow. The test is skipped where that is not allowed.
type namespaces struct {
	t     *testing.T
	names []string
}

const bridgeAddress = "10.231.77.1"

func newNamespaces(t *testing.T, n int) *namespaces {
	t.Helper()
	ip := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
			t.Skipf("network namespaces are not allowed here: ip %s: %v: %s", strings.Join(args, " "), err, out)
		}
	}
	s := &namespaces{t: t}
	t.Cleanup(func() { // what was made; the rest was never there
		for _, name := range s.names {
			_ = exec.Command("ip", "netns", "del", name).Run()
		}
		_ = exec.Command("ip", "link", "del", "honebr").Run()
	})
	ip("link", "add", "honebr", "type", "bridge")
	ip("addr", "add", bridgeAddress+"/24", "dev", "honebr")
	ip("link", "set", "honebr", "up")
	for i := range n {
		name := fmt.Sprint("honetest", i)
		ip("netns", "add", name)
		s.names = append(s.names, name)
		ip("link", "add", s.link(i), "type", "veth", "peer", "name", "eth0", "netns", name)
		ip("link", "set", s.link(i), "master", "honebr", "up")
		ip("-n", name, "addr", "add", fmt.Sprintf("10.231.77.%d/24", 2+i), "dev", "eth0")
		ip("-n", name, "link", "set", "eth0", "up")
	}
	return s
}

// link is this machine's end of a namespace's link.
func (s *namespaces) link(i int) string { return fmt.Sprint("honeveth", i) }

// set takes the link of a namespace up or down.
func (s *namespaces) set(i int, state string) {
	s.t.Helper()
	if out, err := exec.Command("ip", "link", "set", s.link(i), state).CombinedOutput(); err != nil {
		s.t.Fatalf("%v: %s", err, out)
	}
}

// Agents on networks of their own load a server on a third: together all of the schedule, and with a link that breaks
// an invalid measurement within 5 s. The agent behind it ends its load by itself, and is there again when the link is.
func TestAgentsOnNetworksOfTheirOwn(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("network namespaces need root")
	}
	t.Parallel() // it mostly waits
	nets, here, hone := newNamespaces(t, 2), newPlace(t), filepath.Join(programs, "hone")
	broker, server := bridgeAddress+":"+storytest.FreePort(t), bridgeAddress+":"+storytest.FreePort(t)
	here.start(here.command(hone, "agent", "broker", "--listen", broker)).await(t, "nats://")
	here.start(here.command("loadsvc", "-addr", server, "-ready", "ready"))
	var agents []*said
	for i, name := range nets.names {
		agents = append(agents, here.start(here.command("ip", "netns", "exec", name, hone, "agent", "--nats",
			"nats://"+broker, "--name", fmt.Sprint("net", i),
			"--allow", "10.231.77.0/24", "--capacity", "1000")))
	}
	for _, a := range agents {
		a.await(t, "waits for orders")
	}
	load := func(seconds int) *exec.Cmd {
		return here.command(hone, "load", "-v", "http://"+server+"/", "--agents", "n=2", "--rate", "200", "-c", "4",
			"-d", fmt.Sprintf("%ds", seconds),
			"--set", "agents.broker="+broker, "--no-report")
	}
	whole := here.start(load(1))
	whole.await(t, "the agents began")
	whole.await(t, "requests: scheduled 200 = sent 200")

	broken := load(20)
	out := newSaid()
	broken.Stdout, broken.Stderr = out, out
	if err := broken.Start(); err != nil {
		t.Fatal(err)
	}
	out.await(t, "load from 2 agents")
	nets.set(0, "down")
	down := time.Now()
	err := broken.Wait()
	if took := time.Since(down); broken.ProcessState.ExitCode() != 4 || took > 5*time.Second {
		t.Errorf("exit %v after %v:\n%s", err, took, out)
	}
	out.await(t, "agent net0 was lost: nothing was heard of it for 3s")
	agents[0].await(t, "no word from the coordinator for 3s: the load was stopped")

	nets.set(0, "up")
	for end := time.Now().Add(storytest.Patience); ; {
		list, err := here.command(hone, "agent", "list", "--broker", broker).CombinedOutput()
		if err == nil && strings.Contains(string(list), "net0") {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the agent is not back: %v: %s", err, list)
		}
	}
}
