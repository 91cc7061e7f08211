package guard

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Hone's dialer and the guard's exchange packets, one request and one reply at a
// time. A request is a number (4 bytes), a time limit (8 bytes, nanoseconds) and
// host:port; a reply is the number, an errno (4 bytes, 0 for none) and an error
// text, and carries the connected socket if there is no error. A caller that gave
// up leaves its reply behind; the number tells the next one to skip it.

// dialerSocket keeps packets whole and ends when the other side does.
const dialerSocket = syscall.SOCK_SEQPACKET

const (
	dialRequestHeader = 12
	dialReplyHeader   = 8
	dialPacket        = 1024 // more than any host:port or error text
	dialLimit         = 10 * time.Second
)

// dialer opens connections inside a subject's network namespace.
type dialer struct {
	conn *net.UnixConn
	turn chan struct{} // holds one token; who has it owns conn, seq and owed
	seq  uint32
	owed int // replies that are still to come: callers who gave up have left them behind
}

func newDialer(conn *net.UnixConn) *dialer {
	d := &dialer{conn: conn, turn: make(chan struct{}, 1)}
	d.turn <- struct{}{}
	return d
}

func (d *dialer) close() { d.conn.Close() }

// Dial asks the guard for a connection to addr, which is an IP address and a port.
// The error is a *net.OpError, as from net.Dialer.
func (d *dialer) Dial(ctx context.Context, addr string) (net.Conn, error) {
	select {
	case <-d.turn:
	case <-ctx.Done():
		return nil, dialError(addr, fmt.Errorf("%w while another connection was opened", ctx.Err()))
	}
	defer func() { d.turn <- struct{}{} }()

	limit := dialLimit
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline))
	}
	if err := ctx.Err(); err != nil || limit <= 0 {
		return nil, dialError(addr, errors.Join(err, context.Cause(ctx)))
	}
	cancelled := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(cancelled)
		_ = d.conn.SetReadDeadline(time.Unix(1, 0))
	})
	conn, err := d.exchange(addr, limit)
	if !stop() {
		<-cancelled
		_ = d.conn.SetReadDeadline(time.Time{})
		if err != nil {
			err = fmt.Errorf("%w while the guard opened it", ctx.Err())
		}
	}
	if err != nil {
		return nil, dialError(addr, err)
	}
	return conn, nil
}

// HangUp closes the connections that callers who gave up have left behind. They came about, and the subject waits for
// their first request.
func (d *dialer) HangUp(limit time.Duration) {
	end := time.NewTimer(limit)
	defer end.Stop()
	select {
	case <-d.turn:
	case <-end.C:
		return
	}
	defer func() { d.turn <- struct{}{} }()
	_ = d.conn.SetReadDeadline(time.Now().Add(limit))
	defer func() { _ = d.conn.SetReadDeadline(time.Time{}) }()
	for d.owed > 0 {
		seq, conn, _ := d.receive()
		if seq == 0 {
			return
		}
		d.owed--
		if conn != nil {
			conn.Close()
		}
	}
}

func dialError(addr string, err error) error {
	return &net.OpError{Op: "dial", Net: "tcp", Err: fmt.Errorf("%s in the subject's namespace: %w", addr, err)}
}

func (d *dialer) exchange(addr string, limit time.Duration) (net.Conn, error) {
	d.seq++
	request := binary.BigEndian.AppendUint32(nil, d.seq)
	request = binary.BigEndian.AppendUint64(request, uint64(limit))
	if _, err := d.conn.Write(append(request, addr...)); err != nil {
		return nil, err
	}
	d.owed++
	for {
		seq, conn, err := d.receive()
		if seq != 0 {
			d.owed--
		}
		if conn != nil && seq != d.seq {
			conn.Close()
		}
		if seq == d.seq || seq == 0 {
			return conn, err
		}
	}
}

// receive reads one reply; seq is 0 if there is none.
func (d *dialer) receive() (seq uint32, conn net.Conn, err error) {
	packet := make([]byte, dialPacket)
	rights := make([]byte, unix.CmsgSpace(4))
	n, rn, _, _, err := d.conn.ReadMsgUnix(packet, rights)
	if err != nil {
		return 0, nil, err
	}
	if n < dialReplyHeader {
		return 0, nil, errors.New("the guard has ended")
	}
	seq = binary.BigEndian.Uint32(packet)
	if no := binary.BigEndian.Uint32(packet[4:]); no != 0 {
		return seq, nil, fmt.Errorf("%w (%s)", syscall.Errno(no), packet[dialReplyHeader:n])
	}
	if text := packet[dialReplyHeader:n]; len(text) > 0 {
		return seq, nil, errors.New(string(text))
	}
	conn, err = connFromRights(rights[:rn])
	return seq, conn, err
}

func connFromRights(rights []byte) (net.Conn, error) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil || len(messages) != 1 {
		// The kernel drops a descriptor that does not fit into the process's table.
		return nil, fmt.Errorf("receive socket: %w", unix.EMFILE)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return nil, fmt.Errorf("receive socket: %w", unix.EMFILE)
	}
	f := os.NewFile(uintptr(fds[0]), "socket")
	defer f.Close()
	return net.FileConn(f)
}

// serveDials is the guard's side. It ends when hone closes its end, or with the
// guard.
func serveDials() {
	conn, err := inheritedSocket(dialerFD)
	if err != nil {
		return
	}
	defer conn.Close()
	packet := make([]byte, dialPacket)
	for {
		n, err := conn.Read(packet)
		if err != nil || n < dialRequestHeader {
			return
		}
		limit := time.Duration(binary.BigEndian.Uint64(packet[4:]))
		reply, rights, opened := dialFor(packet[:4], string(packet[dialRequestHeader:n]), limit)
		_, _, err = conn.WriteMsgUnix(reply, rights, nil)
		if opened != nil {
			opened.Close() // hone has its own copy now
		}
		if err != nil {
			return
		}
	}
}

// dialFor connects and makes the reply.
func dialFor(seq []byte, addr string, limit time.Duration) (reply, rights []byte, conn net.Conn) {
	reply = append(reply, seq...)
	conn, err := net.DialTimeout("tcp", addr, limit)
	if err == nil {
		err = withFD(conn, func(fd int) { rights = unix.UnixRights(fd) })
	}
	if err == nil {
		return append(reply, 0, 0, 0, 0), rights, conn
	}
	var no syscall.Errno
	if !errors.As(err, &no) && errors.Is(err, os.ErrDeadlineExceeded) {
		no = syscall.ETIMEDOUT
	}
	reply = binary.BigEndian.AppendUint32(reply, uint32(no))
	text := err.Error()
	return append(reply, text[:min(len(text), dialPacket-dialReplyHeader)]...), nil, conn
}

func withFD(conn net.Conn, do func(fd int)) error {
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		return err
	}
	return raw.Control(func(fd uintptr) { do(int(fd)) })
}
