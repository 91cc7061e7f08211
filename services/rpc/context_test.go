package rpc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gohone/hone/services/rpc"
)

// The context of an inline call that a handler kept does not become another call's, and
// ends with its own.
func TestInlineContextIsNotUsedAgainOnceSeen(t *testing.T) {
	eachStage(t, func(t *testing.T, stage rpc.Stage) {
		var kept context.Context
		r := start(t, rpc.Config{Stage: stage.Name}, func(s *rpc.Server) error {
			return rpc.RegisterInline(s, "/keep", func(ctx context.Context, req *request1, reply *reply1) error {
				reply.Msg = string(rpc.MetadataFrom(ctx)["key"])
				if _, ends := ctx.Deadline(); kept == nil && ends && ctx.Err() == nil {
					kept = ctx
				}
				return nil
			})
		})
		conn := r.Dial(t)
		for _, value := range []string{"first", "second"} {
			write(t, conn, metadataRequest("/keep", "key", value, rpc.TimeoutKey, "3600000000"))
			if _, got := readAnswer(t, conn); !bytes.Contains(got, []byte(value)) {
				t.Errorf("answer is %q, want %s", got, value)
			}
		}
		if got := rpc.MetadataFrom(kept)["key"]; string(got) != "first" {
			t.Errorf("the first call's context has metadata %q", got)
		}
		<-kept.Done()
		if err := kept.Err(); !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	})
}

// Answers that are ready do not wait for a handler to let the reader on.
func TestFullGateHoldsNoAnswersBack(t *testing.T) {
	w := newWaiter()
	conn := start(t, rpc.Config{MaxCalls: 1}, w.register).Dial(t)
	sent := append(waitRequest(1, "a"), helloRequest(2)...)
	sent = append(append(sent, waitRequest(3, "b")...), helloRequest(4)...)
	write(t, conn, sent)
	if _, got := readAnswer(t, conn); !bytes.Equal(got, helloAnswer(2)) {
		t.Errorf("first answer is %x", got)
	}
	close(w.goOn)
	seen := make(map[uint16]bool)
	for range 3 {
		h, _ := readAnswer(t, conn)
		seen[h.Stream] = true
	}
	if !seen[1] || !seen[3] || !seen[4] {
		t.Errorf("answers to %v, want 1, 3 and 4", seen)
	}
}

func TestReplyMetadataNeedsAHandler(t *testing.T) {
	if err := rpc.SetReplyMetadata(context.Background(), rpc.Metadata{"a": nil}); err == nil {
		t.Error("metadata was set without a call")
	}
	if m := rpc.MetadataFrom(context.Background()); m != nil {
		t.Errorf("metadata without a call: %v", m)
	}
	failed := make(chan error, 1)
	r := start(t, rpc.Config{}, func(s *rpc.Server) error {
		return rpc.RegisterInline(s, "/bad", func(ctx context.Context, _ *request1, _ *reply1) error {
			failed <- rpc.SetReplyMetadata(ctx, rpc.Metadata{"\xff": nil})
			return nil
		})
	})
	c := r.client(t, rpc.ClientConfig{})
	if err := c.Call(context.Background(), "/bad", &request1{}, new(reply1)); err != nil {
		t.Error(err)
	}
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "not UTF-8") {
		t.Errorf("a key that is not UTF-8: %v", err)
	}
}

func TestCodesOfErrors(t *testing.T) {
	e := rpc.Errorf(rpc.CodeNotFound, "no %s", "such")
	for _, c := range []struct {
		err  error
		code rpc.Code
		text string
	}{
		{e, rpc.CodeNotFound, "not found: no such"},
		{fmt.Errorf("call: %w", e), rpc.CodeNotFound, "call: not found: no such"},
		{&rpc.Error{Code: 1001}, 1001, "code 1001"},
		{errors.New("lost"), rpc.CodeUnknown, "lost"},
	} {
		if got := rpc.CodeOf(c.err); got != c.code || c.err.Error() != c.text {
			t.Errorf("%v: code %v, want %v and %q", c.err, got, c.code, c.text)
		}
	}
	if rpc.CodeOf(nil) != rpc.CodeOK {
		t.Error("no error has a code")
	}
}
