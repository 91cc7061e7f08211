package main

import (
	"bytes"
	"encoding/binary"
)

// frameOf begins each answer with a length, as the protocols in frames have it: 4 bytes, big
// end first.
func frameOf(length uint32, rest []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, length), rest...)
}

// sayFrame gives whatever comes in one frame that is not right.
func sayFrame(length uint32, rest []byte) func(*guest) {
	return func(g *guest) {
		for g.hear() && g.say(frameOf(length, rest)) {
		}
	}
}

// framesServers break protocols of frames with a length in front.
var frameServers = []server{
	{Name: "frame of length 0", Schemes: frameScheme, Serve: sayFrame(0, nil)},
	{Name: "frame of length 1", Schemes: []string{"framed", "rpc", "chat"}, Serve: sayFrame(1, []byte{0})},
	{Name: "frame of length 4", Schemes: []string{"framed", "rpc", "chat"}, Serve: sayFrame(4, nil)},
	{Name: "frame of length -1", Schemes: frameScheme, Serve: sayFrame(0xffffffff, bytes.Repeat([]byte{1}, 100))},
	{Name: "frame of 2 GB", Schemes: frameScheme, Serve: func(g *guest) {
		if !g.hear() || !g.say(frameOf(0x7fffffff, nil)) {
			return
		}
		for data := g.noise(64 << 10); g.say(data); {
		}
	}},
	{Name: "frame that does not end", Schemes: frameScheme, Serve: func(g *guest) {
		if g.hear() && g.say(frameOf(60, g.noise(20))) {
			g.hold()
		}
	}},
	{Name: "frame cut off by the end", Schemes: frameScheme, Serve: func(g *guest) {
		if g.hear() {
			g.say(frameOf(60, g.noise(20)))
		}
	}},
	{Name: "frames of garbage", Schemes: []string{"framed", "rpc", "chat"}, Serve: func(g *guest) {
		for g.hear() {
			n := g.random.IntN(100)
			if !g.say(frameOf(uint32(n+4*g.random.IntN(2)), g.noise(n))) {
				return
			}
		}
	}},
	{Name: "frame, a byte a second", Schemes: frameScheme, Serve: func(g *guest) {
		if g.hear() {
			g.drip(frameOf(60, g.noise(60)))
		}
	}},
}
