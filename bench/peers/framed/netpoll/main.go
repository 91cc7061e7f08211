// Command netpoll serves the framed protocol on github.com/cloudwego/netpoll, with its
// own choice of pollers. It ends when it is killed.
package main

import (
	"context"

	"github.com/cloudwego/netpoll"

	"github.com/gohone/hone/bench/peers/framed/wire"
	"github.com/gohone/hone/bench/peers/serve"
)

func main() { serve.Main("netpoll", "127.0.0.1:8888", listen) }

func listen(addr string) error {
	ln, err := netpoll.CreateListener("tcp", addr)
	if err != nil {
		return err
	}
	loop, err := netpoll.NewEventLoop(func(_ context.Context, c netpoll.Connection) error {
		err := answer(c.Reader(), c.Writer())
		if err != nil {
			c.Close() // netpoll itself does nothing with the error
		}
		return err
	})
	if err != nil {
		return err
	}
	return loop.Serve(ln)
}

// answer answers until nothing is left to read. It waits for the rest of a frame that
// came in part: netpoll would call it again at once if it returned.
func answer(r netpoll.Reader, w netpoll.Writer) error {
	for r.Len() > 0 {
		head, err := r.Peek(4)
		if err != nil {
			return err
		}
		n, err := wire.FrameSize(head)
		if err != nil {
			return err
		}
		if _, err := r.Peek(n); err != nil {
			return err
		}
		// Bounded, because Peek joins what lies in several buffers.
		all, err := r.Peek(min(r.Len(), wire.MaxFrame))
		if err != nil {
			return err
		}
		room, err := w.Malloc(wire.MaxAnswers(len(all)))
		if err != nil {
			return err
		}
		answers, used, bad := wire.Answer(room[:0], all)
		if err := w.MallocAck(len(answers)); err != nil {
			return err
		}
		if err := r.Skip(used); err != nil {
			return err
		}
		if err := r.Release(); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
		if bad != nil {
			return bad
		}
	}
	return nil
}
