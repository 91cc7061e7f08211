package schemes_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// idFrame is length (4 bytes, of all after it), id (4 bytes), payload; "ok" is right.
var idFrame = wire.Frame{IDOffset: 4, IDWidth: 4, ExpectAt: 8, ExpectBytes: []byte("ok"), ExpectLength: 10}

const idBody = "....idid" + "payload"

// serveTCP gives each connection to serve and closes it behind. All ends with the test.
func serveTCP(t *testing.T, serve func(net.Conn)) (target string) {
	t.Helper()
	return "tcp://" + serveEach(t, "tcp", "127.0.0.1:0", serve)
}

// readFrame reads a frame of idFrame's kind; nil at the end.
func readFrame(r *bufio.Reader) []byte {
	head, err := r.Peek(4)
	if err != nil {
		return nil
	}
	frame := make([]byte, 4+binary.BigEndian.Uint32(head))
	if _, err := io.ReadFull(r, frame); err != nil {
		return nil
	}
	return frame
}

// okFrame is the right answer to a frame.
func okFrame(frame []byte) []byte {
	return append(append([]byte{0, 0, 0, 6}, frame[4:8]...), "ok"...)
}

// openTCP opens a session with a target; the test's end closes it.
func openTCP(t *testing.T, target string, o wire.Options, plan load.Plan) *load.Session {
	t.Helper()
	parsed, err := schemes.Parse(target, o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := load.Open(context.Background(), plan, parsed, parsed.Dialer(nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = s.Close() })
	return s
}

func TestTCPMatchesAnswersThatOvertakeEachOther(t *testing.T) {
	var overtaken atomic.Int64
	target := serveTCP(t, func(c net.Conn) {
		r := bufio.NewReader(c)
		for {
			var batch [][]byte
			for frame := readFrame(r); frame != nil; frame = readFrame(r) {
				batch = append(batch, okFrame(frame))
				if r.Buffered() == 0 {
					break
				}
			}
			if len(batch) == 0 {
				return
			}
			overtaken.Add(int64(len(batch) - 1))
			slices.Reverse(batch)
			if _, err := c.Write(slices.Concat(batch...)); err != nil {
				return
			}
		}
	})
	plan := load.Plan{Connections: 3, Depth: 8, Timeout: 20 * time.Second}
	s := openTCP(t, target, wire.Options{Body: []byte(idBody), Frame: idFrame}, plan)
	for s.Totals().Answered < 1000 || overtaken.Load() == 0 {
		if _, err := s.Slice(context.Background(), 10*time.Millisecond, 20*time.Second); err != nil {
			t.Fatal(err)
		}
		if c := s.Totals(); c.Failed > 0 {
			break
		}
	}
	if c, err := s.Close(); err != nil || c.Failed+c.Unanswered > 0 || c.Causes != [load.NumCauses]uint64{} {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestTCPInOrderWithoutIDs(t *testing.T) {
	target := serveTCP(t, func(c net.Conn) {
		_, _ = io.Copy(c, c) // an echo is a right answer
	})
	loads(t, target, wire.Options{Body: []byte("....hello"),
		Frame: wire.Frame{ExpectLength: 9, ExpectAt: 4, ExpectBytes: []byte("hello")}}, 5)
	loads(t, target, wire.Options{Body: make([]byte, 300_000), Frame: wire.Frame{ExpectLength: 300_000}}, 1)
	loads(t, target, wire.Options{Body: []byte("__"), Frame: wire.Frame{Width: 2, Little: true, Counts: "all"}}, 16)
}

// Whatever the server does wrong has its cause, and nothing counts as served that was
// not.
func TestTCPFaultsOfAServerHaveTheirCauses(t *testing.T) {
	var served, turn atomic.Int64
	target := serveTCP(t, func(c net.Conn) {
		r := bufio.NewReader(c)
		for frame := readFrame(r); frame != nil; frame = readFrame(r) {
			// Half of the answers are right, so that connections have work to do.
			n := int(turn.Add(1))
			fault := "none"
			if n%2 == 0 {
				fault = tcpFaults[n/2%len(tcpFaults)]
			}
			if fault == "none" || fault == "twice" {
				served.Add(1)
			}
			answer, goOn := misbehaveTCP(c, fault, okFrame(frame))
			if _, err := c.Write(answer); err != nil || !goOn {
				return
			}
		}
	})
	plan := load.Plan{Connections: 4, Depth: 4, Timeout: 20 * time.Second, RequestTimeout: 50 * time.Millisecond}
	s := openTCP(t, target, wire.Options{Body: []byte(idBody), Frame: idFrame}, plan)
	wanted := []load.Cause{load.WrongID, load.WrongLength, load.WrongBody, load.Malformed, load.Closed, load.Reset,
		load.Timeout}
	c := untilAll(t, s, wanted)
	if got := served.Load(); int64(c.Answered) > got {
		t.Errorf("%d answered, and the server gave %d right answers", c.Answered, got)
	}
}

// untilAll loads until there are a hundred answers and each cause of a failure, and closes s.
func untilAll(t *testing.T, s *load.Session, wanted []load.Cause) load.Counts {
	t.Helper()
	for {
		c := s.Totals()
		if c.Answered >= 100 && !slices.ContainsFunc(wanted, func(w load.Cause) bool { return c.Causes[w] == 0 }) {
			break
		}
		if _, err := s.Slice(context.Background(), 20*time.Millisecond, 0); err != nil {
			t.Fatal(err)
		}
	}
	c, err := s.Close()
	if err != nil {
		t.Error(err)
	}
	return c
}

var tcpFaults = []string{"never sent", "twice", "short", "long", "body", "no id", "garbage", "cut off", "close",
	"reset", "silence"}

// misbehaveTCP makes of a right answer a wrong one, and says whether to go on.
func misbehaveTCP(c net.Conn, fault string, right []byte) (answer []byte, goOn bool) {
	switch fault {
	case "never sent":
		right[4] = 0x7f
	case "twice":
		return append(right, right...), true
	case "short":
		right[3] = 5
		return right[:9], true
	case "long":
		right[3] = 7
		return append(right, '!'), true
	case "body":
		right[8] = 'n'
	case "no id":
		return []byte{0, 0, 0, 1, 'x'}, true
	case "garbage":
		return []byte("HTTP/1.1 400 Bad Request\r\n\r\n"), true
	case "cut off":
		return right[:7], false
	case "close":
		return nil, false
	case "reset":
		_ = c.(*net.TCPConn).SetLinger(0)
		return nil, false
	case "silence":
		return nil, true
	}
	return right, true
}
