package finder

import (
	"net"
	"strconv"

	"github.com/gohone/hone/internal/program/templates"
)

// redis is the place of a port or socket that was found to speak RESP.
func (f *finder) redis(c candidate, p Place) Place {
	p.url = "redis://" + net.JoinHostPort(c.at.DialAddress().Addr().String(), templates.Port)
	shown := c.address()
	if c.at.Socket != "" {
		p.url = "redis+unix:" + templates.Socket
	} else {
		shown = "redis://" + net.JoinHostPort(c.at.DialAddress().Addr().String(), strconv.Itoa(c.at.Port))
	}
	load := "its load is PING, and --body names other commands"
	if len(f.Spec.Protocol.Body) > 0 {
		load = "its load is the commands of --body"
	}
	f.assume("no --target given: assumed %s, %s; %s", shown, f.among(c), load)
	return p
}
