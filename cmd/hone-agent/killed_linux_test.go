package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/gohone/hone/internal/testkit/storytest"
)

// A hone whose coordinator is killed says so and ends; a coordinator whose hone is killed ends, too, and what the agent
// recorded is there. Both times the agent ends its load.
func TestNeitherOutlivesTheOther(t *testing.T) {
	for _, victim := range []string{"hone-agent", "hone"} {
		t.Run(victim, func(t *testing.T) {
			t.Parallel() // it mostly waits
			here := newPlace(t)
			broker, server := "127.0.0.1:"+storytest.FreePort(t), "127.0.0.1:"+storytest.FreePort(t)
			here.start(here.command("loadsvc", "-addr", server, "-ready", "ready"))
			agent := here.start(here.command("hone", "agent", "--nats", "nats://"+broker, "--name", "one", "--capacity",
				"1000"))
			agent.await(t, "waits for orders")
			hone := here.command("hone", "load", "http://"+server+"/", "--agents", "all", "--rate", "100", "-c", "2",
				"-d", "1h", "--set", "interval=100ms",
				"--set", "agents.broker="+broker, "--no-report")
			out := here.start(hone)
			out.await(t, "load from 1 agents")
			recorded := filepath.Join(here.dir, ".hone", "agents", "*", "*.jsonl")
			storytest.Poll(t, "recording "+recorded,
				func() bool { files, _ := filepath.Glob(recorded); return len(files) > 0 })
			coordinator := childOf(t, hone.Process.Pid)
			t.Cleanup(func() { _ = syscall.Kill(coordinator, syscall.SIGKILL) }) // of a test that fails
			if victim == "hone" {
				_ = hone.Process.Kill()
			} else if err := syscall.Kill(coordinator, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			_ = hone.Wait()
			storytest.Poll(t, "end of the coordinator",
				func() bool { return syscall.Kill(coordinator, 0) == syscall.ESRCH })
			if victim == "hone-agent" {
				out.await(t, "hone: hone-agent ended, and the load with it: signal: killed")
				out.await(t, "hint: ")
				if code := hone.ProcessState.ExitCode(); code != 7 {
					t.Errorf("exit code %d", code)
				}
				agent.await(t, "no word from the coordinator for 3s: the load was stopped")
				return
			}
			agent.await(t, ": ended") // it was told
			if files, err := filepath.Glob(recorded); err != nil || len(files) != 1 {
				t.Errorf("recordings %q, %v", files, err)
			}
		})
	}
}

// childOf is the process that runs hone-agent coordinate for another one.
func childOf(t *testing.T, parent int) (pid int) {
	t.Helper()
	storytest.Poll(t, "coordinator", func() bool {
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", parent))
		for _, task := range tasks {
			children, _ := os.ReadFile(task)
			for _, child := range strings.Fields(string(children)) {
				line, _ := os.ReadFile("/proc/" + child + "/cmdline")
				if strings.Contains(string(line), "\x00coordinate\x00") {
					pid, _ = strconv.Atoi(child)
				}
			}
		}
		return pid != 0
	})
	return pid
}
