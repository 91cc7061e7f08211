package mcpserver

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A server that is killed says nothing to its measurement: the kernel interrupts that.
func TestTheDeathOfTheServerEndsTheMeasurement(t *testing.T) {
	dir := folder(t).Folder
	server := exec.Command(os.Args[0], role, dir)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: server}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close() // it has no server any more
	if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"package": "./cmd/server", "wait_seconds": 1}}); err != nil {
		t.Fatal(err)
	}
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if text, err := os.ReadFile(filepath.Join(dir, "ended")); err == nil && string(text) == "130\n" {
			return
		}
		if time.Now().After(end) {
			pid, _ := os.ReadFile(filepath.Join(dir, "pid"))
			t.Fatalf("the measurement goes on without a server: PID %s", pid)
		}
	}
}
