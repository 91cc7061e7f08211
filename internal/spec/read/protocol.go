package read

import (
	"encoding/hex"
	"errors"
	"strings"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/wire"
)

// Protocol reads what is asked for of the requests, and completes the options for the target.
func (f *Requests) Protocol(l *spec.Load) error {
	o, r := &l.Protocol, l.Requests
	var body, feed, expected error
	o.Body, body = readBody(r.Body)
	o.Feed, feed = readFeed(r.Feed)
	o.Frame.ExpectBytes, expected = fromHex("tcp.expect", r.ExpectHex)
	if length := r.Length.Bytes; length != nil {
		if strings.HasPrefix(strings.ToLower(l.Target), "tcp") {
			o.Frame.ExpectLength = int(*length)
		} else {
			o.Expect.Length = length
		}
	}
	if err := errors.Join(body, feed, expected); err != nil {
		return err
	}
	return f.fill(o)
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
		return nil, fail.New(fail.BadInput, "%s %q: %w", flag, digits,
			err).WithHint("write pairs of hex digits, as 00ff17")
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
