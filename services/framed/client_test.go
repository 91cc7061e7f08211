package framed_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/gohone/hone/services/framed"
	"github.com/gohone/hone/services/internal/servicetest"
)

func TestClientSpeaksToEachStage(t *testing.T) {
	eachStage(t, func(t *testing.T, stage framed.Stage) {
		if stage.Name == "buffered-noflush" {
			t.Skip("a client that waits for its answer gets none from this stage")
		}
		client := connect(t, start(t, framed.Config{Stage: stage.Name}).Addr)
		if err := client.Conn(t.Context(), id("client01")); err != nil {
			t.Error(err)
		}
		for _, size := range []int{0, 1, 24, 5000, framed.MaxPayload} {
			if err := client.Submit(t.Context(), id("client01"), make([]byte, size)); err != nil {
				t.Errorf("payload of %d bytes: %v", size, err)
			}
		}
		if err := client.Submit(t.Context(), id("client01"), make([]byte, framed.MaxPayload+1)); err == nil {
			t.Error("a payload over the limit was sent")
		}
		if err := client.Submit(t.Context(), id("client01"), nil); err != nil {
			t.Errorf("after the payload that was refused: %v", err)
		}
	})
}

// Against the stage that withholds answers a client waits as long as its ctx, and
// says that this is what ended.
func TestClientGivesUpWithItsContext(t *testing.T) {
	r := start(t, framed.Config{Stage: "buffered-noflush"})
	client := connect(t, r.Addr)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		r.await(t, "the request", func(c framed.Counters) bool { return c.Requests == 1 })
		cancel()
	}()
	if err := client.Submit(ctx, id("patience"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Submit: %v, want context.Canceled", err)
	}
}

func TestClientRejectsWrongAnswers(t *testing.T) {
	for name, tc := range map[string]struct {
		answer []byte
		want   string
	}{
		"another id":      {ack("stranger"), `id "stranger"`},
		"another command": {framed.AppendAck(nil, framed.Ack{Command: framed.CommandConnAck, ID: id("client01")}), "command 0x80"},
		"rejected":        {framed.AppendAck(nil, framed.Ack{Command: framed.CommandSubmitAck, ID: id("client01"), Result: 7}), "result 7"},
		"a request":       {submit("client01", "x"), "unknown command 0x02"},
		"another length":  {submit("client01", "xx"), "length field is 15"},
		"cut short":       {ack("client01")[:10], "unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			client := connect(t, answering(t, tc.answer))
			err := client.Submit(t.Context(), id("client01"), nil)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Submit: %v, want %q in it", err, tc.want)
			}
		})
	}
}

func connect(t *testing.T, addr string) *framed.Client {
	t.Helper()
	client, err := framed.Dial(t.Context(), addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// answering is a server that reads one smallest frame and answers with b.
func answering(t *testing.T, b []byte) (addr string) {
	t.Helper()
	return servicetest.ServeEach(t, func(conn net.Conn) {
		if _, err := io.ReadFull(conn, make([]byte, framed.MinFrame)); err != nil {
			t.Error(err)
		}
		conn.Write(b)
	})
}
