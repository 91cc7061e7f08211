package insight

import (
	"maps"
	"slices"
	"strconv"
)

// load is how a program is asked.
type load struct {
	Method      string            `json:"method"`
	Path        words             `json:"path"`
	Headers     map[string]string `json:"headers"`
	Body        string            `json:"body"`
	Connections int               `json:"connections"`
	Rate        float64           `json:"rate"` // per second, where an open loop is asked for
	Rates       []float64         `json:"rates"`
	HTTP2       bool              `json:"http2"`
	GRPC        bool              `json:"grpc"` // the path is the method, the message is empty
	WebSocket   bool              `json:"websocket"`
	TCP         *tcp              `json:"tcp"`
	Benchmarks  bool              `json:"benchmarks"` // of a package without a service
}

// tcp is a request of a protocol of the service's own; its answer has a length or ends with a text.
type tcp struct {
	Send   string `json:"send"`
	Until  string `json:"until"`
	Length int    `json:"length"`
}

// flags are those of hone run, with {port} for the port.
func (l load) flags() []string {
	args := []string{"--env", "PORT={port}", "-c", strconv.Itoa(l.Connections)}
	if l.Method != "" {
		args = append(args, "-m", l.Method)
	}
	for _, name := range slices.Sorted(maps.Keys(l.Headers)) {
		args = append(args, "-H", name+": "+l.Headers[name])
	}
	if l.Body != "" {
		args = append(args, "--set", "raw", "--body", l.Body)
	}
	scheme := "http"
	switch {
	case l.TCP != nil:
		return append(args, "--target", "tcp://127.0.0.1:{port}", "--body", l.TCP.Send)
	case l.WebSocket:
		scheme = "ws"
	case l.GRPC: // an empty message is five zero bytes: not compressed, length 0 (gRPC over HTTP2, "Length-Prefixed-Message")
		args = append(args, "--http2", "-H", "content-type: application/grpc", "-H", "te: trailers", "--body", "hex:0000000000")
	case l.HTTP2:
		args = append(args, "--http2")
	}
	for i, path := range l.Path {
		if i > 0 {
			args = append(args, "--also", path)
			continue
		}
		args = append(args, "--target", scheme+"://127.0.0.1:{port}"+path)
	}
	return args
}
