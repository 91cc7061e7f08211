package schemes_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/keepalive"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

var eachMessage = wire.GRPC{EachMessage: true}

// oneAnswer is a message of FullDuplexCall that one message answers.
const oneAnswer = `{"responseParameters": [{"size": 3}]}`

// Each message of a call is answered by one, whatever their sizes and however many are outstanding.
func TestGRPCMessagesAreRequests(t *testing.T) {
	url := serveGRPC(t, &greeter{}, v1) + "FullDuplexCall"
	large := fmt.Sprintf(`{"responseParameters": [{"size": 300000}], "payload": {"body": %q}}`,
		strings.Repeat("AAAA", 100_000))
	for engine := range engines {
		for _, c := range []struct {
			name, body string
			expect     wire.Expect
			depth      int
			n          uint64
		}{
			{"one at a time", oneAnswer, wire.Expect{}, 1, 200},
			{"many at a time", oneAnswer, wire.Expect{JSON: "payload.body=AAAA"}, 64, 5000},
			{"of a length", oneAnswer, wire.Expect{Length: new(int64(7))}, 8, 500},
			{"larger than the windows", large, wire.Expect{}, 4, 24},
		} {
			got := fire(t, engine, url, wire.Options{Body: []byte(c.body), Expect: c.expect, GRPC: eachMessage},
				c.depth, c.n)
			wantRight(t, c.name+" over the "+engine, got, c.n)
			if got.Reconnects+got.Renewed > 0 || got.Messages > 0 {
				t.Errorf("%s: %d connections replaced, %d messages of streams", c.name, got.Reconnects+got.Renewed,
					got.Messages)
			}
		}
	}
}

// Rows of a feed are the messages, and each is answered by its own answer.
func TestGRPCMessagesOfAFeed(t *testing.T) {
	url := serveGRPC(t, &greeter{}, v1) + "FullDuplexCall"
	o := wire.Options{
		Body: []byte(`{"responseParameters": [{"size": {size}}]}`), Feed: table("size", "1", "70000", "0", "3"),
		GRPC: eachMessage,
	}
	var sizes []int64
	for _, s := range sampledOf(t, "event loop", url, o, 1, 100) {
		sizes = append(sizes, s.Length)
	}
	if len(sizes) < 32 {
		t.Fatalf("%d answers were sampled", len(sizes))
	}
	slices.Sort(sizes)
	if kinds := slices.Compact(sizes); !slices.Equal(kinds, []int64{2, 5, 7, 70_008}) { // a payload of 0, 1, 3 and 70,000 bytes
		t.Errorf("answers of %d bytes", kinds)
	}
}

func TestGRPCMessagesThatFail(t *testing.T) {
	url := serveGRPC(t, &greeter{}, v1) + "FullDuplexCall"
	for _, c := range []struct {
		name, body string
		expect     wire.Expect
		cause      load.Cause
		code       codes.Code
		closes     bool // the failure ends the call, and so the connection
	}{
		{"a status", `{"responseStatus": {"code": 8}}`, wire.Expect{}, load.WrongStatus, codes.ResourceExhausted, true},
		{"a value", oneAnswer, wire.Expect{JSON: "payload.body=AA=="}, load.WrongBody, codes.OK, false},
		{"a length", oneAnswer, wire.Expect{Length: new(int64(8))}, load.WrongLength, codes.OK, false},
	} {
		got := fire(t, "event loop", url, wire.Options{Body: []byte(c.body), Expect: c.expect, GRPC: eachMessage}, 1,
			30)
		if got.Failed != 30 || got.Causes[c.cause] != 30 || got.Codes[load.FirstGRPCCode+int(c.code)] != 30 ||
			(got.Reconnects > 0) != c.closes {
			t.Errorf("%s: got %v, codes %v, %d replaced", c.name, got.ByCause(), got.Codes, got.Reconnects)
		}
	}
	// Two answers to each message: the second of them answers what was not asked yet.
	o := wire.Options{Body: []byte(`{"responseParameters": [{"size": 3}, {"size": 4}]}`), GRPC: eachMessage}
	if got := tryToFire(t, "event loop", url, o, 1, 100); got.Causes[load.Unsolicited]+got.Causes[load.ExtraBytes]+
		got.Causes[load.WrongID] == 0 {
		t.Errorf("a method that answers twice: %v, %+v", got.ByCause(), got.Counts)
	}
}

// A server that ends connections by their age waits for the end of the calls: hone ends them when all is answered.
func TestGRPCMessagesWhenTheServerLeaves(t *testing.T) {
	url := serveGRPC(t, &greeter{}, v1,
		grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionAge: 50 * time.Millisecond,
			MaxConnectionAgeGrace: time.Hour}))
	o := wire.Options{Body: []byte(`{"responseParameters": [{"size": 3, "intervalUs": 1000}]}`), GRPC: eachMessage}
	got := fire(t, "event loop", url+"FullDuplexCall", o, 4, 1000)
	if got.Answered != 1000 || got.Renewed == 0 || got.Reconnects != 0 {
		t.Errorf("want 1000 right over renewed connections, got %+v, %d renewed, %d replaced", got.Counts, got.Renewed,
			got.Reconnects)
	}
}

func TestGRPCMessagesRefused(t *testing.T) {
	url := serveGRPC(t, &greeter{}, v1)
	for _, c := range []struct {
		o          wire.Options
		says, hint string
	}{
		{wire.Options{GRPC: wire.GRPC{EachMessage: true, Deadline: time.Second}}, "--set grpc.deadline limits a call",
			"timeout limits each answer"},
		{wire.Options{GRPC: eachMessage, Expect: wire.Expect{Status: []string{"OK"}}}, "the end of a call",
			"expect-json checks each message"},
		{wire.Options{GRPC: eachMessage, Streams: wire.Streams{Messages: 2}}, "options of streams",
			"--set stream.messages"},
		{wire.Options{GRPC: eachMessage, Headers: []string{"x-user: {user}"}, Feed: table("user", "ann", "bob")},
			"a header takes a column", "-H"},
	} {
		_, err := schemes.Parse(url+"FullDuplexCall", c.o)
		wantInputError(t, c.says, err, c.says, c.hint)
	}
	for method, want := range map[string]string{
		"UnaryCall": "does not stream both ways", "StreamingInputCall": "does not stream both ways",
		"StreamingOutputCall": "does not stream both ways",
	} {
		target := parse(t, url+method, wire.Options{GRPC: eachMessage})
		wantInputError(t, method, target.Prepare(context.Background(), target.Dialer(nil)), want,
			"leave out --set grpc.each-message")
	}
	target := parse(t, url+"FullDuplexCall", wire.Options{GRPC: eachMessage, Body: []byte("[{}, {}]")})
	wantInputError(t, "a list", target.Prepare(context.Background(), target.Dialer(nil)),
		"takes one message, and this is a list", "JSON of")
}

// However messages are cut, into frames and between reads, each is one answer, and the end of the call is that of the
// connection.
func FuzzGRPCMessages(f *testing.F) {
	whole := grpcMessage(0, 5, "hello")
	f.Add([]byte(whole+grpcMessage(0, 0, "")+whole), uint8(2), uint8(6), uint8(0), true)
	f.Add([]byte(whole[:8]), uint8(1), uint8(3), uint8(0), true)
	f.Add([]byte(grpcMessage(1, 2, "zz")+whole), uint8(0), uint8(1), uint8(14), true)
	f.Add([]byte(grpcMessage(0, 1<<32-1, "x")), uint8(4), uint8(4), uint8(0), false)
	target := parse(f, "grpc://h:1/grpc.testing.TestService/FullDuplexCall", wire.Options{
		Expect: wire.Expect{Body: "ell"}, GRPC: wire.GRPC{EachMessage: true, ProtoSet: testServiceSet(f)},
	})
	const asked = 4
	f.Fuzz(func(t *testing.T, body []byte, frame, cut, status uint8, ends bool) {
		judge := func(frame, step int) []load.Answer {
			d := target.Dialog(0)
			for seq := range uint64(asked) {
				d.AppendRequest(nil, seq)
			}
			s := callScript(body, frame)
			if ends {
				s.head(1, true, fmt.Sprintf("grpc-status: %d", status))
			}
			return answers(t, d, s.Bytes(), step)
		}
		one, pieces := judge(16384, 1<<20), judge(int(frame)+1, int(cut)+1)
		if fmt.Sprint(one) != fmt.Sprint(pieces) {
			t.Fatalf("whole %+v, in pieces %+v", one, pieces)
		}
		messages := 0
		for rest := body; len(rest) >= 5; messages++ {
			size := uint64(binary.BigEndian.Uint32(rest[1:]))
			if rest = rest[5:]; uint64(len(rest)) < size {
				break
			}
			rest = rest[size:]
		}
		if !ends && len(one) != messages || len(one) < messages {
			t.Errorf("%d answers of %d messages: %+v", len(one), messages, one)
		}
		for i, a := range one[:messages] {
			if a.Seq != uint64(i) {
				t.Errorf("answer %d is to request %d", i, a.Seq)
			}
		}
	})
}
