package chat_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"testing"

	"go.uber.org/goleak"

	"github.com/gohone/hone/services/chat"
	"github.com/gohone/hone/services/internal/servicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// eachStage runs story once for each stage.
func eachStage(t *testing.T, story func(t *testing.T, stage string)) {
	t.Helper()
	servicetest.EachStage(t, chat.Stages, func(t *testing.T, stage chat.Stage) { story(t, stage.Name) })
}

// running is a server on a loopback port, and the lines that it writes.
type running struct {
	*chat.Server
	servicetest.Running
	journal *servicetest.Log
}

// start serves cfg until the test ends; the server must then shut down in order.
func start(t testing.TB, cfg chat.Config) *running {
	t.Helper()
	return startOn(t, servicetest.Listen(t), cfg)
}

func startOn(t testing.TB, ln net.Listener, cfg chat.Config) *running {
	t.Helper()
	r := &running{journal: new(servicetest.Log)}
	if cfg.Journal == nil {
		cfg.Journal = r.journal
	}
	var stop func()
	r.Server, r.Running, stop = servicetest.Start(t, ln, func(log *slog.Logger) (*chat.Server, error) {
		cfg.Log = log
		return chat.New(cfg)
	})
	t.Cleanup(stop)
	return r
}

// user is a client that is logged in, and in a room unless room is empty.
func (r *running) user(t testing.TB, name, nick, room string) *chat.Client {
	t.Helper()
	c := chat.NewClient(r.Dial(t))
	must(t, c.Login(t.Context(), name, nick))
	if room != "" {
		must(t, c.Join(t.Context(), room))
	}
	return c
}

// member is a user as a plain connection.
func (r *running) member(t testing.TB, name, room string) *net.TCPConn {
	t.Helper()
	conn := r.Dial(t)
	write(t, conn, chat.AppendJoin(chat.AppendLogin(nil, 1, name, ""), 2, room))
	want := chat.AppendAck(chat.AppendAck(nil, 1, chat.Accepted), 2, chat.Accepted)
	if got := read(t, conn, len(want)); !bytes.Equal(got, want) {
		t.Fatalf("login and join of %s got %x, want %x", name, got, want)
	}
	return conn
}

// mustServe checks that two users who come now can talk.
func (r *running) mustServe(t testing.TB) {
	t.Helper()
	own, other := r.Dial(t), r.Dial(t)
	name := own.LocalAddr().String() // no other user's
	a, b := chat.NewClient(own), chat.NewClient(other)
	defer a.Close()
	defer b.Close()
	must(t, a.Login(t.Context(), name, "bystander"))
	must(t, b.Login(t.Context(), name+"'", ""))
	must(t, a.Join(t.Context(), name))
	must(t, b.Join(t.Context(), name))
	must(t, a.Say(t.Context(), []byte("are you there?")))
	hear(t, b, "bystander", name, "are you there?")
}

// hear wants a message to come next.
func hear(t testing.TB, c *chat.Client, from, room, text string) {
	t.Helper()
	b, err := c.Next(t.Context())
	if err != nil || b.From != from || b.Room != room || string(b.Text) != text {
		t.Errorf("heard %q from %s in %s, %v, want %q from %s in %s", b.Text, b.From, b.Room, err, text, from, room)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused wants a request to be refused with r.
func refused(t testing.TB, err error, r chat.Result) {
	t.Helper()
	var refusal *chat.RefusedError
	if !errors.As(err, &refusal) || refusal.Result != r {
		t.Errorf("got %v, want %v", err, r)
	}
}

// read reads exactly n bytes, write writes all.
var read, write = servicetest.Read, servicetest.Write

// event is a packet that a client got, with its text inflated: what the stages must
// have in common.
func event(t testing.TB, conn io.Reader) string {
	t.Helper()
	var length int32
	must(t, binary.Read(conn, binary.BigEndian, &length))
	if length < chat.HeaderSize || length > chat.MaxFrame {
		t.Fatalf("the server sent a frame of %d bytes", length)
	}
	payload := make([]byte, length-4)
	if _, err := io.ReadFull(conn, payload); err != nil {
		t.Fatal(err)
	}
	var p chat.Packet
	must(t, p.Decode(payload))
	if p.Command == chat.CommandAck {
		return fmt.Sprintf("ack %d %v", p.ID, chat.Result(p.Body[0]))
	}
	b, err := chat.DecodeBroadcast(p)
	must(t, err)
	return fmt.Sprintf("broadcast %d %s %s %q", b.ID, b.From, b.Room, b.Text)
}

// await waits until the counters are as wanted; the test's own deadline bounds it.
func (r *running) await(t testing.TB, what string, ok func(chat.Counters) bool) {
	t.Helper()
	servicetest.Await(t, what, r.Counters, ok)
}
