package nullserver

import (
	"net"
	"time"
)

// counter numbers connections and requests for the log. One goroutine at a time.
type counter struct {
	o     *Options
	conns int
	order uint64
}

// open numbers a connection. peer is called only if the address is wanted.
func (k *counter) open(peer func() net.Addr) (num int) {
	num = k.conns
	k.conns++
	if k.o.Opened != nil {
		k.o.Opened(num, peer())
	}
	return num
}

// count logs n requests of connection num, which had served the given number before.
func (k *counter) count(num int, before uint64, n int) {
	if k.o.Log != nil {
		k.o.Log(Batch{Conn: num, Index: before, Order: k.order, Count: n, At: time.Now()})
	}
	k.order += uint64(n)
}
