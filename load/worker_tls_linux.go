package load

import (
	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/sys/epoll"
)

// The event loop's TLS: what was received goes through unseal before the shard sees it, what it sends through
// seal behind the shard. All counts of bytes, and the ends of requests, are those of the records.

// kept is what the next read of a connection comes after.
func (w *worker) kept(l *link, k *sock) []byte {
	if k.tls != nil {
		return k.part
	}
	return l.rest
}

// unseal returns what l has received and not settled yet, with the contents of the records in in behind it. ended says
// that the connection is over, and cause why: Closed in good order, with or without close_notify.
func (w *worker) unseal(l *link, k *sock, in []byte, eof bool) (plain []byte, ended bool, cause Cause) {
	plain, used, err := k.tls.Open(append(w.plain[:0], l.rest...), in)
	w.plain = plain // it may have grown
	k.part = append(k.part[:0], in[used:]...)
	switch {
	case err == nil:
		return plain, eof, Closed
	case isEOF(err):
		return plain, true, Closed
	default:
		return plain, true, causeOf(err)
	}
}

// flushSealed is flush for a TLS connection.
func (w *worker) flushSealed(i int, l *link, k *sock) {
	w.out, w.ends = w.fill(l, w.out[:0], w.ends[:0], w.now)
	switch {
	case len(l.out) > 0:
		// Not stored in l yet: keep does, and counts what is new.
		w.writeSealed(i, l.out, append(l.ends, w.ends...), len(l.ends), l.dues, true)
	case len(w.out) > 0 || k.tls.Pending():
		w.writeSealed(i, w.sealed[:0], w.ends, 0, nil, false)
	}
}

// writeSealed writes w.out as records behind those in out, see write. ends from number fresh on are those in w.out.
func (w *worker) writeSealed(i int, out []byte, ends []int, fresh int, dues []int64, own bool) {
	out, err := w.socks[i].tls.Seal(out, w.out, ends[fresh:])
	if !own {
		w.sealed = out // it may have grown
	}
	if err != nil { // crypto/tls has given the connection up
		w.keep(w.links[i], out, ends, dues, 0, 0)
		w.drop(i, causeOf(err))
		return
	}
	w.write(i, out, ends, dues, own)
}

// part closes the socket of connection i, with a goodbye where its protocol has one and the socket has room for it.
func (w *worker) part(i int) {
	l, k := w.links[i], &w.socks[i]
	if k.tls != nil && !k.mute && len(l.out) == 0 {
		w.sealed = k.tls.Goodbye(w.sealed[:0])
		_, _ = epoll.Send(k.fd, w.sealed)
	}
	unix.Close(k.fd)
	k.tls, k.left = nil, false
}
