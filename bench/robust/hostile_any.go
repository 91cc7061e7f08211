package main

// anyServers mislead clients of any protocol. None gives a right answer.
var anyServers = []server{
	{Name: "never answers", Schemes: anyScheme, Serve: (*guest).hold},
	{Name: "never reads", Schemes: anyScheme, Serve: (*guest).freeze},
	{Name: "never accepts", Schemes: anyScheme, Deaf: true},
	{Name: "closes at once", Schemes: anyScheme, Serve: func(*guest) {}},
	{Name: "closes after the request", Schemes: anyScheme, Serve: func(g *guest) { g.hear() }},
	{Name: "resets at once", Schemes: anyScheme, Serve: (*guest).reset},
	{Name: "resets after the request", Schemes: anyScheme, Serve: func(g *guest) {
		g.hear()
		g.reset()
	}},
	{Name: "garbage, a byte a second", Schemes: anyScheme, Serve: func(g *guest) { g.drip(g.noise(600)) }},
	{Name: "garbage for every request", Schemes: anyScheme, Serve: func(g *guest) {
		for g.hear() && g.say(g.noise(1+g.random.IntN(2000))) {
		}
	}},
	{Name: "garbage without end", Schemes: anyScheme, Serve: func(g *guest) {
		noise := g.noise(64 << 10)
		for g.say(noise) {
		}
	}},
	{Name: "zeros without end", Schemes: anyScheme, Serve: func(g *guest) {
		zeros := make([]byte, 64<<10)
		for g.say(zeros) {
		}
	}},
	{Name: "echoes", Schemes: []string{"http", "https", "http2", "https2", "framed", "rpc", "chat"}, Serve: func(g *guest) {
		buf := make([]byte, 64<<10)
		for {
			n, err := g.Read(buf)
			if err != nil || !g.say(buf[:n]) {
				return
			}
		}
	}},
}
