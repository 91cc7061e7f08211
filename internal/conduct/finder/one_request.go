package finder

import (
	"context"
	"net"
	"time"

	"github.com/gohone/hone/internal/wire/recognise"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// speaks sends one request of a target's protocol and says what came back: Serves for a right
// answer, Missing for a wrong one that the protocol understands, Foreign for anything else.
func speaks(ctx context.Context, target schemes.Target, dial recognise.Dial) recognise.Use {
	ctx, cancel := context.WithTimeout(ctx, recognise.Patience)
	defer cancel()
	conn, err := dial(ctx)
	if err == nil {
		conn, err = target.Wrap(ctx, conn)
	}
	if err != nil {
		return recognise.Foreign
	}
	defer conn.Close()
	end, _ := ctx.Deadline()
	_ = conn.SetDeadline(end)
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })()
	switch a, ok := exchange(conn, target.Dialog(0)); {
	case !ok:
		return recognise.Foreign
	case a.Cause == load.OK:
		return recognise.Serves
	case a.Cause == load.Malformed || a.Cause == load.Unsolicited || a.Cause == load.WrongID:
		return recognise.Foreign
	}
	return recognise.Missing
}

// mostAnswer bounds an answer that is only looked at.
const mostAnswer = 1 << 20

// exchange sends a dialog's first request and reads until it is answered.
func exchange(conn net.Conn, d load.Dialog) (a load.Answer, answered bool) {
	control, _ := d.(load.Controller)
	sent := false
	var in []byte
	buf := make([]byte, 16<<10)
	for got := 0; got < mostAnswer; {
		var out []byte
		if control != nil {
			out = control.AppendControl(out)
		}
		if !sent && (control == nil || control.Room() > 0) {
			out, sent = d.AppendRequest(out, 0), true
		}
		if len(out) > 0 {
			if _, err := conn.Write(out); err != nil {
				return a, false
			}
		}
		n, err := conn.Read(buf)
		got += n
		in = append(in, buf[:n]...)
		for {
			used, a := d.NextAnswer(in, err != nil)
			in = in[used:]
			if !a.Partial && (used > 0 || a.Close) {
				return a, sent
			}
			if used == 0 || a.Close || len(in) == 0 {
				break
			}
		}
		if err != nil {
			return a, false
		}
	}
	return a, false
}
