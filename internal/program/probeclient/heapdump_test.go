package probeclient

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// No dump is left beside the socket, whatever the probe answers and the reader says; while it is read it has no name
// any more.
func TestDumpHeapLeavesNoFile(t *testing.T) {
	dir, err := os.MkdirTemp("", "") // short, for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	dump := filepath.Join(dir, "heap.dump")
	status := http.StatusOK
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := os.WriteFile(filepath.Join(dir, r.FormValue("name")), []byte("contents"), 0o600); err != nil {
			t.Error(err)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"protocol":2,"paused_ns":7000000}`)
	}))
	probes := &Probes{socket: filepath.Join(dir, "p")}
	if server.Listener, err = net.Listen("unix", probes.socket); err != nil {
		t.Fatal(err)
	}
	server.Start()
	defer server.Close()
	bad := errors.New("not a dump")
	paused, err := probes.DumpHeap(t.Context(), func(from io.ReaderAt, size int64) error {
		text := make([]byte, size)
		if _, err := from.ReadAt(text, 0); err != nil || string(text) != "contents" {
			t.Errorf("%q %v", text, err)
		}
		if _, err := os.Lstat(dump); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the dump has a name while it is read: %v", err)
		}
		return bad
	})
	if paused != 7*time.Millisecond || !errors.Is(err, bad) {
		t.Errorf("%v %v", paused, err)
	}
	status = http.StatusInternalServerError
	if _, err := probes.DumpHeap(t.Context(), nil); err == nil {
		t.Error("no error from a probe that cannot")
	}
	if _, err := os.Lstat(dump); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a dump is left: %v", err)
	}
}
