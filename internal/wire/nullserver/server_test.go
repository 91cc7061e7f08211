package nullserver

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// submit is a frame of the framed protocol with an id and a payload.
func submit(id, payload int) string {
	frame := binary.BigEndian.AppendUint32(nil, uint32(framedHeader+payload))
	return string(frame) + fmt.Sprintf("\x02%08d", id) + strings.Repeat("p", payload)
}

func ack(id int) string { return fmt.Sprintf("\x00\x00\x00\x0e\x81%08d\x00", id) }

func TestFramedAnswersByID(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			dial := start(t, way, Options{CPU: -1, Reply: Framed})
			c := dial()
			for i := range 20 {
				say(t, c, submit(i, i), ack(i))
			}
			say(t, c, submit(1, 0)+submit(2, 1<<20)+submit(3, 100_000), ack(1)+ack(2)+ack(3))
			for _, nonsense := range []string{
				"\x00\x00\x00\x00", "\x00\x00\x00\x04", "\x00\x00\x00\x05", "\xff\xff\xff\xff", submit(9, 1<<20+1),
				"\x00\x00\x00\x0e\x03",
			} {
				bad := dial()
				say(t, bad, submit(4, 4)+nonsense[:min(len(nonsense), 5)], ack(4))
				hearEnd(t, bad)
			}
			say(t, c, submit(5, 5), ack(5)) // the others are still served
		})
	}
}

// TestHalfClosedClientGetsItsAnswers: the end of the client's stream may arrive with
// its last requests.
func TestHalfClosedClientGetsItsAnswers(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			dial := start(t, way, Options{CPU: -1})
			for n := range 30 {
				c := dial()
				if _, err := io.WriteString(c, strings.Repeat(get, 40*n)); err != nil {
					t.Fatal(err)
				}
				if err := c.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
					t.Fatal(err)
				}
				hear(t, c, strings.Repeat(answerOK, 40*n))
				hearEnd(t, c)
			}
		})
	}
}

// TestClientThatDoesNotRead: a client writes and writes and reads nothing. The server
// stops reading from it long before the client has written all, serves others
// meanwhile, and when the client reads at last every answer is there.
func TestClientThatDoesNotRead(t *testing.T) {
	for _, way := range []string{"tcp", "unix", "wrapped"} {
		t.Run(way, func(t *testing.T) {
			dial := start(t, way, Options{CPU: -1})
			greedy, other := dial(), dial()
			// Far more than two sockets' buffers and the server's own hold.
			const limit = 128 << 20
			block := strings.Repeat("GET / HTTP/1.1\r\n\r\n", 1000)
			written := 0
			for written < limit {
				// The pause decides nothing but how soon the client gives up: a server that
				// does not stop reading takes everything in any case.
				greedy.SetWriteDeadline(time.Now().Add(300 * time.Millisecond))
				n, err := io.WriteString(greedy, block[written%len(block):])
				written += n
				if errors.Is(err, os.ErrDeadlineExceeded) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if written >= limit {
				t.Fatalf("the server read %d bytes whose answers are not read", written)
			}
			for range 100 {
				say(t, other, get, answerOK)
			}
			asked, thousand := written/18, strings.Repeat(answerOK, 1000)
			for range asked / 1000 {
				hear(t, greedy, thousand)
			}
			hear(t, greedy, strings.Repeat(answerOK, asked%1000))
			greedy.SetWriteDeadline(time.Time{})
			rest := block[written%len(block):]
			say(t, greedy, rest, strings.Repeat(answerOK, 1000-asked%1000))
		})
	}
}

func TestCloseEndsEverything(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	for _, o := range []Options{
		{Network: "tcp", Address: "127.0.0.1:0", CPU: -1},
		{Network: "unix", Address: path, CPU: -1},
	} {
		s, err := Start(o)
		if err != nil {
			t.Fatal(err)
		}
		c, err := net.Dial(s.Addr().Network(), s.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		say(t, c, get, answerOK)
		for range 2 {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		hearEnd(t, c)
		c.Close()
		if c, err := net.Dial(s.Addr().Network(), s.Addr().String()); err == nil {
			c.Close()
			t.Errorf("%s: connected to a closed server", o.Network)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket's name is still there: %v", err)
	}
}

func TestWhatCannotStartSaysWhy(t *testing.T) {
	s, err := Start(Options{Network: "tcp", Address: "127.0.0.1:0", CPU: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for name, o := range map[string]Options{
		"address in use": {Network: "tcp", Address: s.Addr().String(), CPU: -1},
		"no such CPU":    {Network: "tcp", Address: "127.0.0.1:0", CPU: 1 << 20},
		"no such reply":  {Network: "tcp", Address: "127.0.0.1:0", CPU: -1, Reply: Framed + 1},
	} {
		broken, err := Start(o)
		if err == nil {
			broken.Close()
			t.Errorf("%s: started", name)
			continue
		}
		var f *fail.Error
		if !errors.As(err, &f) || f.Kind == fail.Environment && f.Hint == "" {
			t.Errorf("%s: %#v", name, err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := startOn(plain{l}, Options{CPU: 0}); fail.ExitCode(err) != int(fail.Environment) {
		t.Errorf("pinned goroutines: %v", err)
	}
	if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
		c.Close()
		t.Error("it left a listener open that it does not serve")
	}
}

func TestRequestsAllocateNothing(t *testing.T) {
	for r, request := range map[Reply]string{HTTP: get, Framed: submit(1, 24)} {
		dial := start(t, "tcp", Options{CPU: -1, Reply: r})
		c := dial()
		ask, answer := []byte(request), make([]byte, 1000)
		turn := func() {
			if _, err := c.Write(ask); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Read(answer); err != nil {
				t.Fatal(err)
			}
		}
		turn()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		const requests = 5000
		for range requests {
			turn()
		}
		runtime.ReadMemStats(&after)
		// The runtime and other tests' ends allocate a little.
		if n := after.Mallocs - before.Mallocs; n > requests/10 {
			t.Errorf("reply %d: %d allocations in %d requests", r, n, requests)
		}
	}
}
