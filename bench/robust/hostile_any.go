package robust

import "io"

// anyServers mislead clients of any protocol. None gives a right answer.
var anyServers = []server{
	{Name: "never answers", Schemes: anyScheme, Serve: []step{hold}},
	{Name: "never reads", Schemes: anyScheme, Serve: []step{freeze}},
	{Name: "never accepts", Schemes: anyScheme, Deaf: true},
	{Name: "closes at once", Schemes: anyScheme},
	{Name: "closes after the request", Schemes: anyScheme, Serve: []step{hear}},
	{Name: "resets at once", Schemes: anyScheme, Serve: []step{reset}},
	{Name: "resets after the request", Schemes: anyScheme, Serve: []step{hear, reset}},
	{Name: "garbage, a byte a second", Schemes: anyScheme,
		Serve: []step{drips(func(g *guest) []byte { return g.noise(600) })}},
	{Name: "garbage for every request", Schemes: anyScheme, Serve: []step{forever(hear, func(g *guest) bool {
		return g.say(g.noise(1 + g.random.IntN(2000)))
	})}},
	{Name: "garbage without end", Schemes: anyScheme, Serve: []step{noiseWithoutEnd}},
	{Name: "zeros without end", Schemes: anyScheme, Serve: []step{forever(says(string(make([]byte, 64<<10))))}},
	{Name: "echoes", Schemes: []string{"http", "https", "http2", "https2", "framed", "rpc", "chat"},
		Serve: []step{func(g *guest) bool {
			_, _ = io.Copy(g, g)
			return false
		}}},
}

// noiseWithoutEnd says the same garbage again and again.
func noiseWithoutEnd(g *guest) bool {
	noise := string(g.noise(64 << 10))
	return forever(says(noise))(g)
}
