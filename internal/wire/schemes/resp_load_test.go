package schemes_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidwall/redcon"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// redconServer is a server of RESP by tidwall/redcon: a table of strings behind a password,
// if there is one.
type redconServer struct {
	password string
	mu       sync.Mutex
	table    map[string]string
	greeted  []string // what connections sent before their first command of the load
}

// serveRedcon serves until the test ends, and returns the address.
func serveRedcon(t *testing.T, s *redconServer, network, address string) string {
	t.Helper()
	s.table = map[string]string{}
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	server := redcon.NewServerNetwork(network, l.Addr().String(), s.answer, func(redcon.Conn) bool { return true },
		func(redcon.Conn, error) {})
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	t.Cleanup(func() {
		l.Close()
		<-done
	})
	return l.Addr().String()
}

func (s *redconServer) answer(conn redcon.Conn, cmd redcon.Command) {
	s.mu.Lock()
	defer s.mu.Unlock()
	word := func(i int) string {
		if i < len(cmd.Args) {
			return string(cmd.Args[i])
		}
		return ""
	}
	name := strings.ToUpper(word(0))
	if name == "AUTH" || name == "SELECT" || name == "HELLO" {
		var words []string
		for _, arg := range cmd.Args {
			words = append(words, string(arg))
		}
		s.greeted = append(s.greeted, strings.Join(words, " "))
	}
	loggedIn := s.password == "" || conn.Context() != nil
	switch {
	case name == "AUTH" && word(len(cmd.Args)-1) != s.password:
		conn.WriteError("WRONGPASS invalid username-password pair or user is disabled.")
	case name == "AUTH":
		conn.SetContext(true)
		conn.WriteString("OK")
	case !loggedIn:
		conn.WriteError("NOAUTH Authentication required.")
	case name == "SELECT" && word(1) == "99":
		conn.WriteError("ERR DB index is out of range")
	case name == "SELECT":
		conn.WriteString("OK")
	case name == "HELLO":
		conn.WriteRaw([]byte("%1\r\n$5\r\nproto\r\n:3\r\n>2\r\n+hello\r\n:1\r\n"))
	case name == "PING":
		conn.WriteString("PONG")
	case name == "SET":
		s.table[word(1)] = word(2)
		conn.WriteString("OK")
	case name == "GET":
		if value, ok := s.table[word(1)]; ok {
			conn.WriteBulkString(value)
		} else {
			conn.WriteNull()
		}
	case name == "MGET":
		conn.WriteArray(len(cmd.Args) - 1)
		for i := range cmd.Args[1:] {
			conn.WriteBulkString(s.table[word(i+1)])
		}
	default:
		conn.WriteError("ERR unknown command '" + word(0) + "', with args beginning with: 'S3CRET'")
	}
}

func TestRESPLoadsRedcon(t *testing.T) {
	for engine := range engines {
		for _, depth := range []int{1, 16} {
			s := &redconServer{}
			target := "redis://" + serveRedcon(t, s, "tcp", "127.0.0.1:0")
			wantRight(t, "PING", fire(t, engine, target, wire.Options{}, depth, 300), 300)
			wantRight(t, "SET", fire(t, engine, target, wire.Options{Body: []byte("SET key:{n} v{n}")}, depth, 300),
				300)
			s.mu.Lock()
			if len(s.table) != 300 || s.table["key:299"] != "v299" {
				t.Errorf("%d keys of 300 were set, key:299 is %q", len(s.table), s.table["key:299"])
			}
			s.mu.Unlock()
			one := int64(1)
			o := wire.Options{Body: []byte("MGET key:{n:300}"), Expect: wire.Expect{Body: "v", Length: &one}}
			wantRight(t, "MGET", fire(t, engine, target, o, depth, 300), 300)
		}
	}
}

// hundred sends a hundred requests.
func hundred(t *testing.T, target schemes.Target, plan load.Plan) (all load.Tally) {
	t.Helper()
	session, err := load.Open(context.Background(), plan, target, target.Dialer(nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Run(context.Background(), load.Stretch{Schedule: load.Schedule{Requests: 100},
		Drain: 20 * time.Second}, all.Add); err != nil {
		t.Error(err)
	}
	if _, err := session.Close(); err != nil {
		t.Error(err)
	}
	return all
}

func TestRESPErrorsAreCountedByTheirFirstWord(t *testing.T) {
	s := &redconServer{}
	address := serveRedcon(t, s, "tcp", "127.0.0.1:0")
	o := wire.Options{Body: []byte("NOSUCH S3CRET\nGET missing")}
	target := parse(t, "redis://"+address, o)
	all := hundred(t, target, load.Plan{Connections: 1, Depth: 1, Timeout: 20 * time.Second})
	if all.Failed != 50 || all.Answered != 50 || all.WrongStatuses.String() != "ERR: 50" {
		t.Errorf("%+v, statuses %s", all.Counts, all.WrongStatuses)
	}
	notes := strings.Join(target.Notes(), "\n")
	if !strings.Contains(notes, "ERR unknown command 'NOSUCH'") || !strings.Contains(notes, "50 answers were null") ||
		strings.Contains(notes, "S3CRET") {
		t.Errorf("notes are %q", notes)
	}
}

func TestRESPLogsInFirst(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string // of the address
		want          string // sent, or in the error
		wrong         bool
	}{
		"password":              {"redis://:S3CRET@", "", "AUTH S3CRET", false},
		"user and password":     {"redis://ann:S3CRET@", "", "AUTH ann S3CRET", false},
		"as parameters":         {"redis://", "?user=ann&password=S3CRET", "AUTH ann S3CRET", false},
		"and a database":        {"redis://:S3CRET@", "/2", "AUTH S3CRET; SELECT 2", false},
		"RESP3":                 {"redis://:S3CRET@", "/1?protocol=3", "HELLO 3 AUTH default S3CRET; SELECT 1", true},
		"wrong password":        {"redis://:wrong@", "", `log in: the server said "WRONGPASS`, true},
		"wrong database":        {"redis://:S3CRET@", "/99", `select database 99: the server said "ERR DB index`, true},
		"escaped, and so wrong": {"redis://:S3%40CRET@", "", "WRONGPASS", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := &redconServer{password: "S3CRET"}
			address := serveRedcon(t, s, "tcp", "127.0.0.1:0")
			target := parse(t, c.before+address+c.after, wire.Options{})
			conn, err := target.Dialer(nil)(context.Background())
			if err == nil {
				defer conn.Close()
				d := target.Dialog(0)
				if _, err := conn.Write(d.AppendRequest(nil, 0)); err != nil {
					t.Fatal(err)
				}
				answer := make([]byte, 64)
				n, err := conn.Read(answer)
				if string(answer[:n]) != "+PONG\r\n" {
					t.Errorf("answer %q, %v", answer[:n], err)
				}
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			var known *fail.Error
			switch sent := strings.Join(s.greeted, "; "); {
			case !c.wrong && (err != nil || sent != c.want):
				t.Errorf("sent %q, %v; want %q", sent, err, c.want)
			case c.wrong && name != "RESP3" && (!errors.As(err, &known) || !strings.Contains(err.Error(), c.want) ||
				known.Hint == ""):
				t.Errorf("got %v, want an error with %q and a hint", err, c.want)
			case c.wrong && err != nil && strings.Contains(err.Error(), "S3CRET"):
				t.Errorf("the error holds the password: %v", err)
			}
		})
	}
}

// A server that speaks RESP3 may push messages at any time: they end no connection.
func TestRESP3OverAUnixSocketWithPushMessages(t *testing.T) {
	s := &redconServer{}
	path := serveRedcon(t, s, "unix", filepath.Join(t.TempDir(), "s"))
	target := parse(t, "redis+unix:"+path+":/3?protocol=3", wire.Options{Body: []byte("PING\nHELLO 3")})
	all := hundred(t, target, load.Plan{Connections: 2, Depth: 4, Timeout: 20 * time.Second})
	wantRight(t, "RESP3", all, 100)
}

// serveRESP gives each command of each connection to answer, with its number over all; "" ends
// the connection.
func serveRESP(t *testing.T, answer func(c net.Conn, number int64) string) (target string) {
	t.Helper()
	var number atomic.Int64
	return strings.Replace(serveTCP(t, func(c net.Conn) {
		for in := bufio.NewReader(c); readRESPCommand(in) != nil; {
			out := answer(c, number.Add(1)-1)
			if _, err := io.WriteString(c, strings.TrimSuffix(out, "!")); err != nil || out == "" ||
				strings.HasSuffix(out, "!") {
				return
			}
		}
	}), "tcp://", "redis://", 1)
}

// readRESPCommand reads an array of strings; nil at the end.
func readRESPCommand(in *bufio.Reader) (words []string) {
	number := func(kind byte) int {
		line, err := in.ReadString('\n')
		if err != nil || line[0] != kind {
			return 0
		}
		n, _ := strconv.Atoi(strings.TrimSpace(line[1:]))
		return n
	}
	for range number('*') {
		word := make([]byte, number('$')+2)
		if _, err := io.ReadFull(in, word); err != nil {
			return nil
		}
		words = append(words, string(word[:len(word)-2]))
	}
	return words
}

// Whatever the server does wrong has its cause, and nothing counts as served that was not.
func TestRESPFaultsOfAServerHaveTheirCauses(t *testing.T) {
	faults := []string{"+NO\r\n", "-ERR no\r\n", "garbage\r\n", "$5\r\nhe!", "withheld", "", "reset",
		"+PONG\r\n+PONG\r\n"}
	var served atomic.Int64
	target := serveRESP(t, func(c net.Conn, number int64) string {
		out := "+PONG\r\n"
		if number%2 == 1 {
			out = faults[int(number/2)%len(faults)]
		}
		switch {
		case strings.HasPrefix(out, "+PONG"):
			served.Add(int64(strings.Count(out, "+PONG"))) // a second one answers the next command
		case out == "reset":
			_ = c.(*net.TCPConn).SetLinger(0)
			return ""
		case out == "withheld":
			_, _ = io.Copy(io.Discard, c)
			return ""
		}
		return out
	})
	wanted := []load.Cause{load.WrongBody, load.WrongStatus, load.Malformed, load.WrongLength, load.Closed, load.Reset,
		load.Timeout}
	for _, engine := range []string{"event loop", "portable"} {
		plan := load.Plan{Connections: 4, Depth: 4, Timeout: 20 * time.Second, RequestTimeout: 50 * time.Millisecond}
		s := open(t, target, wire.Options{Expect: wire.Expect{Body: "PONG"}}, plan, engines[engine])
		before := served.Load()
		c := untilAll(t, s, wanted)
		if got := served.Load() - before; int64(c.Answered) > got {
			t.Errorf("%s: %d answered, and the server gave %d right answers", engine, c.Answered, got)
		}
	}
}

// The truth of a server that stops for a while comes from its own log of when it served each
// request, and from the schedule.
func TestRESPAFrozenServerShowsInTheTail(t *testing.T) {
	t.Parallel() // it mostly waits
	const rate, length, stop, cont = 200, 2 * time.Second, 600 * time.Millisecond, 1200 * time.Millisecond
	served := make([]atomic.Int64, int(rate*length.Seconds()))
	var gate sync.RWMutex
	target := serveTCP(t, func(c net.Conn) {
		for in := bufio.NewReader(c); ; {
			words := readRESPCommand(in)
			if words == nil {
				return
			}
			gate.RLock()
			n, _ := strconv.Atoi(words[1])
			served[n].Store(time.Now().UnixNano())
			gate.RUnlock()
			if _, err := fmt.Fprintf(c, "$%d\r\n%s\r\n", len(words[1]), words[1]); err != nil {
				return
			}
		}
	})
	plan := load.Plan{Connections: 20, Depth: 1, Timeout: 20 * time.Second}
	s := open(t, strings.Replace(target, "tcp:", "redis:", 1), wire.Options{Body: []byte("ECHO {n}")}, plan,
		engines["event loop"])
	var sum load.Tally
	var began time.Time
	freeze := time.AfterFunc(stop, gate.Lock)
	thaw := time.AfterFunc(cont, gate.Unlock)
	err := s.Run(context.Background(), load.Stretch{Schedule: load.OpenLoop(rate, length), Drain: 20 * time.Second},
		func(got load.Slice) {
			if began.IsZero() {
				began = got.Start
			}
			sum.Add(got)
		})
	if freeze.Stop() || thaw.Stop() {
		t.Fatal("the schedule ended before the freeze")
	}
	if _, closed := s.Close(); err != nil || closed != nil {
		t.Fatal(err, closed)
	}
	truth := make([]float64, len(served))
	for i := range served {
		due := began.Add(time.Duration(i) * time.Second / rate)
		truth[i] = float64(served[i].Load()-due.UnixNano()) / 1e9
	}
	slices.Sort(truth)
	want := truth[int(math.Ceil(0.99*float64(len(truth))))-1]
	got := float64(sum.Latency().ValueAtQuantile(99)) / 1e9
	t.Logf("p99: hone %.3f s, truth %.3f s", got, want)
	if want < 0.4 {
		t.Fatalf("the true p99 is %.3f s: the freeze did not work", want)
	}
	// An answer is received after it was served, on a busy machine by some hundredths of a second.
	if got < 0.9*want || got > 1.1*want+0.2 || sum.Answered != uint64(len(served)) {
		t.Errorf("p99 is %.3f s, in truth %.3f s; %+v", got, want, sum.Counts)
	}
}
