package subject

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/gohone/hone/internal/program/listeners"
	"github.com/gohone/hone/internal/sys/sockets"
)

// closePatience is how long a program has to notice that connections to it are closed. Most need microseconds; one that
// never closes its own end of them costs this much at each stop.
const closePatience = 500 * time.Millisecond

// awaitClosedConnections returns when the program has closed its ends of the connections that their clients, hone first
// of all, have closed. A program that waits for its connections when TERM comes must not find one of hone's.
func (p *running) awaitClosedConnections(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, p.stop.closing)
	defer cancel()
	p.client.HangUp(p.stop.closing)
	for p.halfClosed() {
		select {
		case <-ctx.Done():
			return
		case <-p.ended.happened:
			return
		case <-time.After(firstPoll): // the system has no event for it
		}
	}
}

// halfClosed says that there is a connection to one of the program's ports that only its client has closed. It is false
// where the system has no table of connections to look into.
func (p *running) halfClosed() bool {
	guard := p.guardPID()
	if guard == 0 {
		return false
	}
	var ports []int
	if err := sockets.EachOfState(strconv.Itoa(guard), sockets.CloseWait, func(s sockets.Socket) {
		ports = append(ports, int(s.Local.Port()))
	}); err != nil || len(ports) == 0 {
		return false
	}
	_, own, err := p.listeners("tcp")
	return err == nil && slices.ContainsFunc(own,
		func(l listeners.Listener) bool { return slices.Contains(ports, l.Port) })
}
