package chat_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/services/chat"
)

// step is one request of one client of a conversation.
type step struct {
	client int
	frame  []byte
}

// Whatever is asked, in whatever order and wherever the network cuts it, each stage
// gives every client the same acks and broadcasts, text for text. Only pooled-conn may
// show a sender under a stranger's nickname.
func TestStagesAnswerAlike(t *testing.T) {
	servers := make(map[string]*running)
	for _, stage := range chat.Stages {
		servers[stage.Name] = start(t, chat.Config{Stage: stage.Name, MaxRoom: 2})
	}
	rapid.Check(t, func(rt *rapid.T) {
		const clients = 3
		var story []step
		for i := range rapid.IntRange(0, 25).Draw(rt, "requests") {
			story = append(story, step{rapid.IntRange(0, clients-1).Draw(rt, "client"), request(rt, uint32(i))})
		}
		cuts := rapid.SliceOfN(rapid.IntRange(1, 40), 0, 5).Draw(rt, "cuts")
		var want []string
		for _, stage := range chat.Stages {
			got := play(t, servers[stage.Name], clients, story, cuts)
			if stage.Name == "pooled-conn" {
				got = anonymous(got)
				if !slices.Equal(got, anonymous(want)) {
					rt.Fatalf("%s:\n%s\nwant\n%s", stage.Name, brief(got), brief(anonymous(want)))
				}
				continue
			}
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				rt.Fatalf("%s:\n%s\nwant\n%s", stage.Name, brief(got), brief(want))
			}
		}
	})
}

// request draws a request, now and then one that is refused.
func request(t *rapid.T, id uint32) []byte {
	name := func(what string, names ...string) string { return rapid.SampledFrom(names).Draw(t, what) }
	switch rapid.IntRange(0, 6).Draw(t, "request") {
	case 0, 1:
		return chat.AppendLogin(nil, id, name("user", "ann", "bob", "cid", "", "two words"), name("nick", "", "Annie", "", "a\nb"))
	case 2:
		return chat.AppendJoin(nil, id, name("room", "hall", "hall", "garden", "", "Straße", strings.Repeat("x", 33)))
	case 3:
		return chat.AppendPing(nil, id)
	case 4:
		stream := rapid.SliceOfN(rapid.Byte(), 0, 30).Draw(t, "stream")
		return rawMessage(id, stream)
	}
	size := rapid.OneOf(rapid.IntRange(0, 60), rapid.IntRange(500, 600), rapid.SampledFrom([]int{4096, chat.MaxText})).Draw(t, "size")
	text := bytes.Repeat([]byte("all work and no play "), size/21+1)[:size]
	if rapid.Bool().Draw(t, "compressed") {
		return rawMessage(id, deflated(text))
	}
	return chat.AppendMessage(nil, id, text)
}

// play sends the requests one after the other and returns what each client got, each
// client's in order. A ping behind each request collects what it brought to the others.
func play(t *testing.T, r *running, clients int, story []step, cuts []int) []string {
	t.Helper()
	before := r.Counters().Connected
	conns := make([]*net.TCPConn, clients)
	for i := range conns {
		conns[i] = r.Dial(t)
	}
	var all []string
	for _, s := range story {
		frame := s.frame
		for _, cut := range cuts {
			n := min(cut, len(frame))
			write(t, conns[s.client], frame[:n])
			frame = frame[n:]
		}
		write(t, conns[s.client], frame)
		all = append(all, fmt.Sprintf("client %d: %s", s.client, event(t, conns[s.client])))
		for i, conn := range conns {
			const mark = 1 << 31
			write(t, conn, chat.AppendPing(nil, mark))
			for {
				e := event(t, conn)
				if strings.HasPrefix(e, fmt.Sprintf("ack %d", mark)) {
					break
				}
				all = append(all, fmt.Sprintf("client %d: %s", i, e))
			}
		}
	}
	for _, conn := range conns {
		conn.Close()
	}
	r.await(t, "the clients' end", func(c chat.Counters) bool { return c.Connected == before })
	return all
}

// anonymous blanks the senders.
func anonymous(events []string) []string {
	var all []string
	for _, e := range events {
		if f := strings.SplitN(e, " ", 7); f[2] == "broadcast" {
			f[4] = "(a user)"
			e = strings.Join(f, " ")
		}
		all = append(all, e)
	}
	return all
}

// brief cuts long texts.
func brief(events []string) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "%.120s\n", e)
	}
	return b.String()
}

// Every request gets one ack, in order, however many come at once.
func TestEveryRequestIsAcked(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, chat.Config{Stage: stage})
		talker, listener := r.member(t, "talker", "hall"), r.member(t, "listener", "hall")
		var sent, want []byte
		const messages = 200
		for i := range uint32(messages) {
			sent = chat.AppendMessage(sent, i, []byte("what I want to say"))
			want = chat.AppendAck(want, i, chat.Accepted)
			sent = chat.AppendPing(sent, 1000+i)
			want = chat.AppendAck(want, 1000+i, chat.Accepted)
			sent = chat.AppendJoin(sent, 2000+i, "")
			want = chat.AppendAck(want, 2000+i, chat.BadName)
		}
		write(t, talker, sent)
		must(t, talker.CloseWrite())
		got, err := io.ReadAll(talker)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("got %d bytes of acks, %v, want %d:\n%x\n%x", len(got), err, len(want), got, want)
		}
		for i := range messages {
			if got, want := event(t, listener), fmt.Sprintf("broadcast %d talker hall %q", i, "what I want to say"); got != want {
				t.Fatalf("the listener got %s, want %s", got, want)
			}
		}
		c := r.Counters()
		if c.Messages != messages || c.Deliveries != messages || c.Requests != 3*messages+4 || c.Refusals != messages {
			t.Errorf("counters are %+v", c)
		}
	})
}

// Who may do what, when, is the same for all.
func TestRequestsOutOfTurnAreRefused(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r, ctx := start(t, chat.Config{Stage: stage, MaxRoom: 2}), t.Context()
		c := chat.NewClient(r.Dial(t))
		refused(t, c.Say(ctx, []byte("hello?")), chat.NotLoggedIn)
		refused(t, c.Join(ctx, "hall"), chat.NotLoggedIn)
		refused(t, c.Ping(ctx), chat.NotLoggedIn)
		refused(t, c.Login(ctx, "", ""), chat.BadName)
		must(t, c.Login(ctx, "ann", ""))
		refused(t, c.Login(ctx, "ann", ""), chat.LoggedIn)
		refused(t, c.Say(ctx, []byte("hello?")), chat.NotInRoom)
		refused(t, c.Join(ctx, "two words"), chat.BadName)
		must(t, c.Join(ctx, "hall"))
		must(t, c.Join(ctx, "hall"))
		must(t, c.Ping(ctx))

		other := chat.NewClient(r.Dial(t))
		refused(t, other.Login(ctx, "ann", ""), chat.NameTaken)
		must(t, other.Login(ctx, "bob", "ann")) // nicknames are not unique
		must(t, other.Join(ctx, "hall"))
		third := r.user(t, "cid", "", "")
		refused(t, third.Join(ctx, "hall"), chat.RoomFull)
		refused(t, third.Say(ctx, nil), chat.NotInRoom)

		must(t, other.Say(ctx, []byte("still here")))
		hear(t, c, "ann", "hall", "still here")
		must(t, other.Join(ctx, "garden"))
		must(t, third.Join(ctx, "hall")) // there is room again
		must(t, third.Say(ctx, nil))
		hear(t, c, "cid", "hall", "")
	})
}

// Who leaves, leaves room and name to others.
func TestEndOfAConnectionIsALogout(t *testing.T) {
	eachStage(t, func(t *testing.T, stage string) {
		r := start(t, chat.Config{Stage: stage, MaxRoom: 1})
		r.user(t, "ann", "", "hall").Close()
		r.await(t, "ann's end", func(c chat.Counters) bool { return c.Connected == 0 })
		r.user(t, "ann", "", "hall")
	})
}
