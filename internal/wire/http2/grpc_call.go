package http2

import (
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/grpctypes"
	"github.com/gohone/hone/load"
)

// grpcCall says which answers to calls of a method are right. All connections share it.
type grpcCall struct {
	method *grpctypes.Method // nil: its types are not known
	right  map[uint16]bool   // by code
	length int64             // of all messages together, without their prefixes; -1: any
	text   []byte
	json   *answer.JSON
	// deadline is how long the server may take, as it is told; 0: no limit.
	deadline time.Duration

	compressed atomic.Uint64 // answers that were
	first      answer.First
}

// newGRPCCall reads the checks. Those that need the types are complete once there is a method.
func newGRPCCall(e wire.Expect, deadline time.Duration) (*grpcCall, error) {
	c := &grpcCall{deadline: deadline, length: -1, right: map[uint16]bool{0: len(e.Status) == 0}}
	names := load.GRPCCodes()
	for _, s := range e.Status {
		name := strings.ToUpper(strings.TrimSpace(s))
		code, isNumber := wire.Decimal([]byte(name))
		if !isNumber {
			code = int64(slices.Index(names, name))
		}
		if code < 0 || code >= int64(len(names)) {
			err := fail.New(fail.BadInput, "expected status %q is not a code of gRPC", s)
			if near := fail.Nearest(name, names); near != "" {
				return nil, err.WithHint("did you mean %s?", near)
			}
			return nil, err.WithHint("write a name, such as NOT_FOUND, or a number from 0 (OK) to 16")
		}
		c.right[uint16(code)] = true
	}
	if e.Length != nil {
		if c.length = *e.Length; c.length < 0 {
			return nil, fail.New(fail.BadInput, "the expected length is %d bytes, want 0 or more", c.length)
		}
	}
	if e.Body != "" {
		c.text = []byte(e.Body)
	}
	var err error
	if e.JSON != "" {
		c.json, err = answer.NewJSON(e.JSON)
	}
	return c, err
}

// judge is the code and the cause of a whole answer.
func (c *grpcCall) judge(s *stream) (code uint16, cause load.Cause) {
	m := &s.messages
	if m.compressed {
		c.compressed.Add(1)
	}
	told := load.FirstGRPCCode + s.grpc.Code
	switch {
	case s.grpc.Known && !c.right[s.grpc.Code]:
		return told, load.WrongStatus
	case !s.grpc.Known && s.status != 200: // a proxy, or a server that speaks HTTP
		return s.status, load.WrongStatus
	case !s.grpc.Known && s.grpc.Asked:
		return 0, load.Malformed
	case !s.grpc.Known:
		return 0, load.WrongKind
	case s.grpc.Code != 0: // expected: it has no messages that could be checked
		return told, load.OK
	case !m.whole() || m.compressed:
		return told, load.Malformed
	case c.method != nil && !c.method.ServerStreams() && m.messages != 1, c.length >= 0 && m.size != c.length:
		return told, load.WrongLength
	case m.wrong || c.looks() && m.messages == 0:
		return told, load.WrongBody
	}
	return told, load.OK
}

// notes are what is to be said of all answers.
func (c *grpcCall) notes() []string {
	all := c.first.Notes()
	if n := c.compressed.Load(); n > 0 {
		all = append(all,
			units.Count(n)+" answers were compressed although the requests did not allow it (grpc-accept-encoding was not sent): they count as malformed")
	}
	return all
}
