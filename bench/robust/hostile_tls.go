package main

var tlsScheme = []string{"https", "https2"}

// tlsServers break TLS itself.
var tlsServers = []server{
	{Name: "handshake that stops", Schemes: tlsScheme, Raw: true, Serve: (*guest).hold},
	{Name: "handshake of garbage", Schemes: tlsScheme, Raw: true, Serve: func(g *guest) {
		if g.hear() {
			g.say(g.noise(1000))
			g.hold()
		}
	}},
	{Name: "handshake answered in plain HTTP", Schemes: tlsScheme, Raw: true, Serve: func(g *guest) {
		if g.hear() {
			g.says("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
		}
	}},
	{Name: "handshake records without end", Schemes: tlsScheme, Raw: true, Serve: func(g *guest) {
		// RFC 8446, 5.1: type handshake, version 3.3, length; a message of 16 MB in records.
		record := append([]byte{22, 3, 3, 0x40, 0}, make([]byte, 0x4000)...)
		record[5], record[6], record[7], record[8] = 2, 0xff, 0xff, 0xff // ServerHello of 16 MB
		if !g.hear() || !g.say(record) {
			return
		}
		for g.say(record) {
		}
	}},
	{Name: "alerts without end", Schemes: tlsScheme, Raw: true, Serve: func(g *guest) {
		if !g.hear() {
			return
		}
		for g.say([]byte{21, 3, 3, 0, 2, 1, 90}) { // warning: user canceled
		}
	}},
}
