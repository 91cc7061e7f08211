package robust

import (
	"bytes"
	"encoding/binary"
)

// frame says a length, as the protocols in frames begin each answer: 4 bytes, big end first.
// What follows is as long or not.
func frame(length uint32, rest []byte) step {
	return says(string(append(binary.BigEndian.AppendUint32(nil, length), rest...)))
}

// noiseFrame begins a frame of 60 bytes of which only n come, random ones.
func noiseFrame(n int) step { return func(g *guest) bool { return frame(60, g.noise(n))(g) } }

var idScheme = []string{"framed", "rpc", "chat"}

// frameServers break protocols of frames with a length in front.
var frameServers = []server{
	{Name: "frame of length 0", Schemes: frameScheme, Serve: []step{forever(hear, frame(0, nil))}},
	{Name: "frame of length 1", Schemes: idScheme, Serve: []step{forever(hear, frame(1, []byte{0}))}},
	{Name: "frame of length 4", Schemes: idScheme, Serve: []step{forever(hear, frame(4, nil))}},
	{Name: "frame of length -1", Schemes: frameScheme,
		Serve: []step{forever(hear, frame(0xffffffff, bytes.Repeat([]byte{1}, 100)))}},
	{Name: "frame of 2 GB", Schemes: frameScheme, Serve: []step{hear, frame(0x7fffffff, nil), noiseWithoutEnd}},
	{Name: "frame that does not end", Schemes: frameScheme, Serve: []step{hear, noiseFrame(20), hold}},
	{Name: "frame cut off by the end", Schemes: frameScheme, Serve: []step{hear, noiseFrame(20)}},
	{Name: "frames of garbage", Schemes: idScheme, Serve: []step{forever(hear, func(g *guest) bool {
		n := g.random.IntN(100)
		return frame(uint32(n+4*g.random.IntN(2)), g.noise(n))(g)
	})}},
	{Name: "frame, a byte a second", Schemes: frameScheme, Serve: []step{hear, drips(func(g *guest) []byte {
		return append([]byte{0, 0, 0, 60}, g.noise(60)...)
	})}},
}
