package main

import (
	"encoding/hex"
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/inputs"
	"github.com/gohone/hone/internal/wire"
)

// protocolFlags say how a target is spoken to and what a right answer is. All commands
// that load something share them.
type protocolFlags struct {
	options   wire.Options
	body      string
	feed      string
	length    *int64 // nil: any
	expectHex string
	sources   requestFlags
}

func (f *protocolFlags) add(fl *pflag.FlagSet) {
	o := &f.options
	fl.StringVarP(&o.Method, "method", "m", "", "HTTP `METHOD` (default GET, or POST with a body)")
	fl.StringArrayVarP(&o.Headers, "header", "H", nil, "HTTP `HEADER`, 'Name: value' (repeatable)")
	fl.StringVar(&f.body, "body", "", "request `BODY`: text, @FILE, or hex:BYTES; of tcp://, the whole frame; of grpc://, the JSON of the message")
	fl.StringVar(&f.feed, "feed", "", "table whose rows fill {column} in URL, headers and body: a `FILE` .csv or .jsonl")
	fl.BoolVar(&o.Raw, "raw", false, "send braces as they are: without it {n} in URL, headers and body is the number of the request ({n:1000}: its rest),\n{rand:1000} a random number below 1000, {conn} the number of the connection, and an unknown {name} is refused")
	fl.StringSliceVar(&o.Expect.Status, "expect-status", nil, "right `STATUSES`: of HTTP such as 200,3xx (default below 400), of gRPC such as OK,NOT_FOUND (default OK)")
	fl.Func("expect-length", "right length in `BYTES` of an HTTP body, or of a tcp:// answer's whole frame", f.setLength)
	fl.StringVar(&o.Expect.Body, "expect-body", "", "`TEXT` that a right HTTP body contains")
	fl.StringVar(&o.Expect.JSON, "expect-json", "", "what a right JSON body holds: `PATH` or PATH=VALUE, such as user.name=Ann")
	fl.BoolVar(&o.HTTP3, "http3", false, "speak HTTP/3 with https:// targets, over UDP; --depth is then the number of streams on each connection")
	fl.BoolVar(&o.HTTP2, "http2", false, "speak HTTP/2; --depth is then the number of streams on each connection")
	fl.BoolVarP(&o.TLS.Insecure, "insecure", "k", false, "accept any TLS certificate")
	fl.BoolVar(&o.TLS.NoResumption, "no-resumption", false, "a full TLS handshake for every connection")
	fl.StringVar(&o.TLS.ServerName, "server-name", "", "`NAME` that the TLS certificate must have (default the target's host)")
	fl.StringVar(&o.TLS.CAs, "ca", "", "`FILE` of certificates to trust in place of the system's")
	fl.BoolVar(&o.Streams.All, "stream", false, "every answer is a stream: time its first byte, count its events, chunks or frames (default: answers of text/event-stream)")
	fl.IntVar(&o.Streams.Messages, "messages", 0, "end a request for a stream after `N` messages (default: when the server ends it)")
	fl.DurationVar(&o.Streams.For, "stream-for", 0, "end a request for a stream with the first message that comes later than this after it began (default: when the server ends it)")
	fl.StringVar(&o.Messages.Subprotocol, "subprotocol", "", "ws://: `NAME` of the subprotocol that the upgrade asks for")
	fl.BoolVar(&o.Messages.Binary, "ws-binary", false, "ws://: send binary messages (default text)")
	fl.StringVar(&o.Messages.ID, "ws-id", "", "ws://: `PATH` in the JSON of an answer to the number of its request, {n} in --body; of binary messages @OFFSET:WIDTH (default: answers come in order)")
	fl.StringArrayVar(&o.Messages.Skip, "ws-skip", nil, "ws://: leave out messages whose JSON has `PATH` or PATH=VALUE, or that ~EXPRESSION matches: what the server sends by itself (repeatable)")
	fl.StringVar(&o.Messages.Age, "ws-age", "", "ws://: `PATH` in the JSON of a stream's messages to the moment they were made (RFC 3339, or Unix time)")
	fl.StringArrayVar(&o.Calls.Protos, "proto", nil, "grpc://: .proto `FILE` of the service (repeatable; default: ask the server by reflection)")
	fl.StringArrayVar(&o.Calls.ProtoPaths, "proto-path", nil, "grpc://: `DIR` where imports of --proto are looked for (repeatable; default: where the file is)")
	fl.StringVar(&o.Calls.ProtoSet, "protoset", "", "grpc://: `FILE` of descriptors, as buf build -o writes it, in place of --proto")
	fl.BoolVar(&o.Calls.EachMessage, "each-message", false, "grpc://: each message of a call is a request, of a method that streams both ways and answers one to one")
	fl.DurationVar(&o.Calls.Deadline, "deadline", 0, "grpc://: `TIME` that each call tells the server it may take (default none)")
	fl.IntVar(&o.PayloadBytes, "payload", 0, "payload of a framed:// request in bytes (default 24)")
	f.sources.add(fl)
	f.addFrame(fl)
}

// addFrame declares the flags that describe a length-prefixed protocol.
func (f *protocolFlags) addFrame(fl *pflag.FlagSet) {
	o := &f.options.Frame
	fl.IntVar(&o.Offset, "frame-offset", 0, "tcp://: where the length field begins in a frame")
	fl.IntVar(&o.Width, "frame-width", 0, "tcp://: bytes of the length field: 1, 2, 4 or 8 (default 4)")
	fl.BoolVar(&o.Little, "frame-little", false, "tcp://: integers are little-endian")
	fl.StringVar(&o.Counts, "frame-counts", "", "tcp://: `WHAT` the length counts: rest (default; all behind it), all, or body")
	fl.IntVar(&o.HeaderBytes, "frame-header", 0, "tcp://: size of the header, for --frame-counts body")
	fl.IntVar(&o.IDOffset, "id-offset", 0, "tcp://: where the id begins that an answer repeats")
	fl.IntVar(&o.IDWidth, "id-width", 0, "tcp://: bytes of the id: 1, 2, 4 or 8 (default none: answers come in order)")
	fl.IntVar(&o.ExpectAt, "expect-at", 0, "tcp://: where --expect-hex must stand in an answer")
	fl.StringVar(&f.expectHex, "expect-hex", "", "tcp://: `BYTES` that a right answer holds, as 00ff")
}

func (f *protocolFlags) setLength(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	f.length = &n
	return err
}

// resolve reads what the flags name and returns the options for a target.
func (f *protocolFlags) resolve(target string) (wire.Options, error) {
	var body, feed, expected error
	f.options.Body, body = readBody(f.body)
	f.options.Feed, feed = readFeed(f.feed)
	f.options.Frame.ExpectBytes, expected = fromHex("--expect-hex", f.expectHex)
	if f.length != nil {
		if strings.HasPrefix(strings.ToLower(target), "tcp") {
			f.options.Frame.ExpectLength = int(*f.length)
		} else {
			f.options.Expect.Length = f.length
		}
	}
	if err := errors.Join(body, feed, expected); err != nil {
		return f.options, err
	}
	o := f.options
	err := f.sources.fill(&o)
	return o, err
}

// readBody returns the bytes of a --body value: a text, @FILE, or hex:BYTES.
func readBody(value string) ([]byte, error) {
	if digits, ok := strings.CutPrefix(value, "hex:"); ok {
		return fromHex("--body", digits)
	}
	name, ok := strings.CutPrefix(value, "@")
	switch {
	case value == "":
		return nil, nil
	case !ok:
		return []byte(value), nil
	}
	body, err := inputs.Body.ReadFile(name)
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "read body: %w", err)
	}
	return body, nil
}

func fromHex(flag, digits string) ([]byte, error) {
	if digits == "" {
		return nil, nil
	}
	b, err := hex.DecodeString(digits)
	if err != nil {
		return nil, fail.New(fail.BadInput, "%s %q: %w", flag, digits, err).WithHint("write pairs of hex digits, as 00ff17")
	}
	return b, nil
}

func readFeed(name string) (*wire.Feed, error) {
	if name == "" {
		return nil, nil
	}
	file, err := inputs.Feed.Open(name)
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "read feed: %w", err)
	}
	defer file.Close()
	return wire.ReadFeed(name, file)
}
