package cases

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"

	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
)

const (
	nameGRPC  = "hone"
	nameHTTP2 = "hone HTTP/2"
	nameGhz   = "ghz"
)

const (
	method  = "helloworld.Greeter/SayHello"
	message = `{"name": "hello"}`
)

// callers are the tools; hone calls the method first, then sends the same bytes as requests of HTTP/2. proto is the
// file of the types, which spares all of them the question to the server.
func callers(proto string) []*side.Tool {
	return []*side.Tool{
		side.HoneLoad(nameGRPC, func(j side.Job) []string {
			return append(streams(j), "grpc://"+j.URL+"/"+method, "--proto", proto, "--body", message)
		}),
		side.HoneLoad(nameHTTP2, func(j side.Job) []string {
			return append(streams(j), "http://"+j.URL+"/"+method, "--http2", "-H", "te: trailers", "-H",
				"content-type: application/grpc", "--body", "hex:"+encoded())
		}),
		{Name: nameGhz, Args: func(j side.Job) proc.Command {
			return proc.Command{Args: []string{
				"--insecure", "--proto", proto, "--call", method, "-d", message, "-c", strconv.Itoa(j.Streams),
				"--connections", strconv.Itoa(j.Connections),
				"-z", j.Duration.String(), "--duration-stop", "wait", "-t", "30s", "-O", "summary", j.URL,
			}}
		}, Read: readGhz},
	}
}

// streams are hone's flags for the streams of a job.
func streams(j side.Job) []string {
	return []string{"-c", strconv.Itoa(j.Connections), "--depth", strconv.Itoa(j.Streams / j.Connections)}
}

// encoded is the message of HelloRequest with name "hello", with its prefix, in hex: field 1 of 5 bytes.
func encoded() string {
	body := append([]byte{0x0a, 5}, "hello"...)
	return hex.EncodeToString(append([]byte{0, 0, 0, 0, byte(len(body))}, body...))
}

var (
	ghzCount = regexp.MustCompile(`(?m)^\s+Count:\s+(\d+)$`)
	ghzRight = regexp.MustCompile(`(?m)^\s+\[OK\]\s+(\d+) responses`)
)

// readGhz reads ghz's summary: all calls, and those by code.
func readGhz(_ string, _ side.Job, out []byte) (side.Report, error) {
	count := ghzCount.FindSubmatch(out)
	if count == nil {
		return side.Report{}, fmt.Errorf("read ghz's report: no count in %.400q", out)
	}
	all, err := strconv.ParseUint(string(count[1]), 10, 64)
	if err != nil {
		return side.Report{}, fmt.Errorf("read ghz's report: %w", err)
	}
	r := side.Report{}
	if right := ghzRight.FindSubmatch(out); right != nil {
		if r.Answered, err = strconv.ParseUint(string(right[1]), 10, 64); err != nil || r.Answered > all {
			return side.Report{}, fmt.Errorf("read ghz's report: %s of %d calls are OK", right[1], all)
		}
	}
	r.Failed = all - r.Answered
	return r, nil
}
