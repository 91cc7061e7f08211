package visits

import (
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// Bytes that are not a request, and a head without end: that connection is closed, with an
// answer that says so, and the others are served.
func TestBadRequestsEndOneConnection(t *testing.T) {
	eachStage(t, func(t *testing.T, stage Stage) {
		address, stop := serving(t, counter(t, stage, Config{}))
		defer stop()
		bystander := connect(t, address)
		for name, text := range map[string]string{
			"length 0 as in other protocols": "\x00\x00\x00\x00\r\n\r\n",
			"length 0xFFFFFFFF":              "\xff\xff\xff\xff\r\n\r\n",
			"negative length of a body":      "POST /hello HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
			"an endless head":                "GET /hello HTTP/1.1\r\nHost: x\r\nA: " + strings.Repeat("a", 4*maxHeader),
		} {
			conn := connect(t, address)
			go io.WriteString(conn, text) // ends with the connection, which may not take it all
			answer, err := io.ReadAll(conn)
			if got := string(answer); !strings.HasPrefix(got, "HTTP/1.1 4") || strings.Count(got, "HTTP/1.1") != 1 {
				t.Errorf("%s: answer %q, %v; want one with a status of 4xx, and the end", name, got, err)
			}
			conn.Close()
			if a := exchange(t, bystander, "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"); a.StatusCode != http.StatusOK {
				t.Errorf("%s: the bystander got %s", name, a.Status)
			}
		}
	})
}

// Clients that ask and never read are held back: memory stays bounded, and others are
// served.
func TestClientsThatNeverReadTakeNoMemory(t *testing.T) {
	eachStage(t, func(t *testing.T, stage Stage) {
		address, stop := serving(t, counter(t, stage, Config{}))
		defer stop()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		ask := strings.Repeat("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n", 1000)
		var senders sync.WaitGroup
		for range 4 {
			deaf := connect(t, address)
			defer deaf.Close()
			senders.Go(func() {
				taken := 0
				for err := error(nil); err == nil; {
					if taken += len(ask); taken > 64<<20 {
						t.Error("the server took 64 MB of a client that reads nothing")
						return
					}
					// No room for so long is the server's doing: it has stopped reading.
					if err = deaf.SetWriteDeadline(time.Now().Add(500 * time.Millisecond)); err == nil {
						_, err = io.WriteString(deaf, ask)
					}
				}
			})
		}
		senders.Wait()
		runtime.ReadMemStats(&after)
		if grown := (int64(after.HeapSys) - int64(before.HeapSys)) >> 20; grown > 32 {
			t.Errorf("the heap grew by %d MB for 4 clients that never read", grown)
		}
		if a := exchange(t, connect(t, address), "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"); a.StatusCode != http.StatusOK {
			t.Errorf("another client got %s", a.Status)
		}
	})
}

func connect(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}
