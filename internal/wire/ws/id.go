package ws

import (
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
)

// readID reads @OFFSET:WIDTH, where messages of o.Body have the number of their request, big-endian.
func readID(text string, o wire.Options) (id wire.Field, err error) {
	offset, width, _ := strings.Cut(text[1:], ":")
	at, errAt := strconv.ParseUint(offset, 10, 31)
	size, errSize := strconv.ParseUint(width, 10, 8)
	switch {
	case errAt != nil || errSize != nil || size != 1 && size != 2 && size != 4 && size != 8:
		return id, fail.New(fail.BadInput, "%q is not the place of a number in a message", text).
			WithHint("write @OFFSET:WIDTH, the width in bytes 1, 2, 4 or 8: --set ws.id=@0:4")
	case !o.WebSocket.Binary:
		return id, fail.New(fail.BadInput,
			"a number at a place makes messages binary, and text is sent").WithHint("add --set ws.binary")
	}
	id = wire.FieldOf(int(at), int(size), false)
	if len(o.Body) < id.End() {
		return id, fail.New(fail.BadInput, "the message has %d bytes, and the number is to stand in bytes %d to %d",
			len(o.Body), id.At, id.End()-1).
			WithHint("leave room for it in --body, such as --body hex:00000000")
	}
	return id, nil
}

// numbered is the request whose number is in a message; sent, which no request has, where the message is too short.
func (d *dialog) numbered(message []byte) uint64 {
	at := &d.protocol.at
	if len(message) < at.End() {
		return d.sent
	}
	return at.Request(at.Get(message), d.sent)
}
