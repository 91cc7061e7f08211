package main

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"

	"github.com/gohone/hone/bench/honecli"
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

// callers are the tools; hone calls the method first, then sends the same bytes as requests of HTTP/2. proto is the file of
// the types, which spares all of them the question to the server.
func callers(proto string) []*side.Tool {
	return []*side.Tool{
		{Name: nameGRPC, File: side.Hone, Args: func(j side.Job) proc.Command {
			return honeArgs(j, "grpc://"+j.URL+"/"+method, "--proto", proto, "--body", message)
		}, Read: readHone},
		{Name: nameHTTP2, File: side.Hone, Args: func(j side.Job) proc.Command {
			return honeArgs(j, "http://"+j.URL+"/"+method, "--http2", "-H", "te: trailers", "-H", "content-type: application/grpc", "--body", "hex:"+encoded())
		}, Read: readHone},
		{Name: nameGhz, Args: func(j side.Job) proc.Command {
			return proc.Command{Args: []string{
				"--insecure", "--proto", proto, "--call", method, "-d", message, "-c", strconv.Itoa(j.Streams), "--connections", strconv.Itoa(j.Connections),
				"-z", j.Duration.String(), "--duration-stop", "wait", "-t", "30s", "-O", "summary", j.URL,
			}}
		}, Read: readGhz},
	}
}

// honeArgs asks hone for a load without a warm-up, which would cost CPU time that the others do not spend.
func honeArgs(j side.Job, target string, more ...string) proc.Command {
	return proc.Command{Args: append([]string{
		"load", target, "--no-ledger", "-c", strconv.Itoa(j.Connections), "--depth", strconv.Itoa(j.Streams / j.Connections),
		"-d", j.Duration.String(), "--workers", "1", "--warmup", "0s", "--timeout", "30s", "--quiet", "--json",
	}, more...)}
}

// encoded is the message of HelloRequest with name "hello", with its prefix, in hex: field 1 of 5 bytes.
func encoded() string {
	body := append([]byte{0x0a, 5}, "hello"...)
	return hex.EncodeToString(append([]byte{0, 0, 0, 0, byte(len(body))}, body...))
}

func readHone(_ string, _ side.Job, out []byte) (side.Report, error) {
	h, err := honecli.ReadLoad(out)
	if err != nil {
		return side.Report{}, err
	}
	return side.Report{Answered: h.Account.Answered, Failed: h.Account.Failed, GivenUp: h.Account.Unanswered}, nil
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
