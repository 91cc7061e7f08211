package robust

import "strings"

var tlsScheme = []string{"https", "https2"}

// handshakeRecord is a record of TLS (RFC 8446, 5.1) of type handshake, version 3.3, and
// 0x4000 bytes; in it begins a message of 16 MB, ServerHello (2).
var handshakeRecord = "\x16\x03\x03\x40\x00" + "\x02\xff\xff\xff" + strings.Repeat("\x00", 0x4000-4)

// tlsServers break TLS itself.
var tlsServers = []server{
	{Name: "handshake that stops", Schemes: tlsScheme, Raw: true, Serve: []step{hold}},
	{Name: "handshake of garbage", Schemes: tlsScheme, Raw: true,
		Serve: []step{hear, func(g *guest) bool { return g.say(g.noise(1000)) }, hold}},
	{Name: "handshake answered in plain HTTP", Schemes: tlsScheme, Raw: true,
		Serve: []step{hear, says("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")}},
	{Name: "handshake records without end", Schemes: tlsScheme, Raw: true,
		Serve: []step{hear, forever(says(handshakeRecord))}},
	// A warning: user canceled.
	{Name: "alerts without end", Schemes: tlsScheme, Raw: true,
		Serve: []step{hear, forever(says("\x15\x03\x03\x00\x02\x01\x5a"))}},
}
