package mcpserver

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sys/unix"
)

// A server that is killed says nothing to its measurement: the kernel interrupts that.
func TestTheDeathOfTheServerEndsTheMeasurement(t *testing.T) {
	dir := folder(t).Folder
	pipe := filepath.Join(dir, "ended") // the measurement writes into it how it ended
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ended, err := os.OpenFile(pipe, os.O_RDWR|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer ended.Close()
	server := exec.Command(os.Args[0], role, dir)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&mcp.CommandTransport{Command: server}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close() // it has no server any more
	if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "run",
		Arguments: map[string]any{"package": "./cmd/server", "wait_seconds": 1}}); err != nil {
		t.Fatal(err)
	}
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := ended.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	code := make([]byte, 16)
	if n, err := ended.Read(code); err != nil || string(code[:n]) != "130\n" {
		pid, _ := os.ReadFile(filepath.Join(dir, "pid"))
		t.Fatalf("the measurement goes on without a server, or was not interrupted: %q, %v; PID %s", code[:n], err, pid)
	}
}
