package sidebyside

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"time"

	"github.com/gohone/hone/services/framed"
)

const (
	verifyConns  = 8
	verifyFrames = 500
	// verifyPiece is the most that is written at a time: mostly a few frames and a part of
	// one, so that a server meets frames in pieces.
	verifyPiece = 700
	// verifyPatience is for all answers on a connection.
	verifyPatience = 10 * time.Second
)

// verifyFramed has e's server answer frames of all sizes that come in pieces, and wants
// what services/framed answers, byte for byte.
func (l *lab) verifyFramed(ctx context.Context, e *entrant) error {
	s, err := l.start(ctx, e)
	if err != nil {
		return err
	}
	defer s.Stop()
	faults := make(chan error, verifyConns)
	for i := range verifyConns {
		go func() { faults <- verifyConn(ctx, s.Addr, rand.New(rand.NewPCG(uint64(i), 0))) }() // ends by its deadline
	}
	for range verifyConns {
		err = errors.Join(err, <-faults)
	}
	return errors.Join(err, s.Fault())
}

func verifyConn(ctx context.Context, addr string, rng *rand.Rand) error {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(verifyPatience)); err != nil {
		return err
	}
	requests, want := dialogue(rng)
	sent := make(chan error, 1)
	go func() { sent <- writePieces(c, requests, rng) }() // ends with the connection
	got := make([]byte, len(want))
	n, err := io.ReadFull(c, got)
	if err != nil {
		return fmt.Errorf("verify answers: %w after %d bytes of %d", err, n, len(want))
	}
	if !bytes.Equal(got, want) {
		return errors.New("verify answers: they are not those of services/framed")
	}
	if err := <-sent; err != nil {
		return fmt.Errorf("verify answers: %w", err)
	}
	return verifyEnd(c)
}

// verifyEnd wants a bad frame to end the connection, unanswered.
func verifyEnd(c net.Conn) error {
	if _, err := c.Write([]byte{0, 0, 0, framed.MinFrame - 1}); err != nil {
		return fmt.Errorf("send a bad frame: %w", err)
	}
	n, err := c.Read(make([]byte, 1))
	var late net.Error
	if n > 0 || errors.As(err, &late) && late.Timeout() {
		return errors.New("verify answers: a frame that is too short did not end the connection")
	}
	return nil
}

// dialogue is a number of requests of mixed commands and sizes, and what they are to be
// answered.
func dialogue(rng *rand.Rand) (requests, answers []byte) {
	for i := range verifyFrames {
		s := framed.Submit{Command: framed.CommandSubmit, ID: framed.ID(fmt.Appendf(nil, "%08d", i))}
		switch rng.IntN(50) {
		case 0:
			s.Payload = make([]byte, rng.IntN(framed.MaxPayload+1))
		case 1:
			s.Command = framed.CommandConn
		default:
			s.Payload = make([]byte, rng.IntN(40))
		}
		requests = framed.AppendRequest(requests, s)
		answers = framed.AppendAck(answers, framed.Ack{Command: s.Command.Ack(), ID: s.ID,
			Result: framed.ResultAccepted})
	}
	return requests, answers
}

// writePieces writes b in pieces of random sizes.
func writePieces(w io.Writer, b []byte, rng *rand.Rand) error {
	for len(b) > 0 {
		n := min(1+rng.IntN(verifyPiece), len(b))
		if _, err := w.Write(b[:n]); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}
