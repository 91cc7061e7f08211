package rpc

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"
)

// method is what is registered for one service path.
type method struct {
	path string
	// inline: it may run on the goroutine that reads the connection.
	inline bool
	// serve decodes payload, runs the handler, and appends the encoded reply to dst.
	serve func(ctx context.Context, c codec, payload, dst []byte) ([]byte, error)
}

// ErrRegistered means that a service path is taken.
var ErrRegistered = errors.New("service path is registered already")

// add registers all of the methods or none. It fails once the server serves: the table
// is read without a lock.
func (s *Server) add(methods ...*method) error {
	return s.core.Setup(func(late error) error {
		for _, m := range methods {
			err := late
			switch {
			case m.path == "" || !utf8.ValidString(m.path):
				err = errors.New("service path is empty or not UTF-8")
			case s.methods[m.path] != nil:
				err = ErrRegistered
			}
			if err != nil {
				return fmt.Errorf("register %q: %w", m.path, err)
			}
		}
		for _, m := range methods {
			s.methods[m.path] = m
		}
		return nil
	})
}

// Register serves path with fn. Each call has messages of its own, which fn may keep.
// On a pipelined server each call has a goroutine too, so that fn may block, and answers
// leave in the order in which calls end.
func Register[Req, Reply any](s *Server, path string, fn func(ctx context.Context, req *Req) (*Reply, error)) error {
	run := chain(s.cfg.Interceptors, path, func(ctx context.Context, req any) (any, error) {
		reply, err := fn(ctx, req.(*Req))
		if reply == nil {
			return nil, err // a nil pointer in an interface would not be nil
		}
		return reply, err
	})
	return s.add(&method{path: path, serve: serveWith(func() any { return new(Req) }, run)})
}

// serveWith makes method.serve of a handler; fresh makes its argument.
func serveWith(fresh func() any, run Handler) func(context.Context, codec, []byte, []byte) ([]byte, error) {
	return func(ctx context.Context, c codec, payload, dst []byte) ([]byte, error) {
		req := fresh()
		if err := c.decode(payload, req); err != nil {
			return dst, badArgument(err)
		}
		reply, err := run(ctx, req)
		if err != nil {
			return dst, err
		}
		return appendReply(c, dst, reply)
	}
}

// RegisterInline serves path with fn, the typed fast path: on a pipelined server fn
// runs on the goroutine that reads the connection, with messages that are used again,
// and its answers leave in order. So fn must be fast and must not block: until it
// returns, nothing else on that connection is served. It fills reply, which is empty,
// and must not keep ctx, req or reply. If interceptors are installed, they are run too.
func RegisterInline[Req, Reply any](s *Server, path string, fn func(ctx context.Context, req *Req, reply *Reply) error) error {
	type messages struct {
		req   Req
		reply Reply
	}
	pool := &sync.Pool{New: func() any { return new(messages) }}
	var run Handler
	if len(s.cfg.Interceptors) > 0 {
		run = chain(s.cfg.Interceptors, path, func(ctx context.Context, req any) (any, error) {
			reply := new(Reply)
			return reply, fn(ctx, req.(*Req), reply)
		})
	}
	serve := func(ctx context.Context, c codec, payload, dst []byte) ([]byte, error) {
		m := pool.Get().(*messages)
		defer pool.Put(m)
		if err := c.decode(payload, &m.req); err != nil {
			return dst, badArgument(err)
		}
		if run != nil {
			reply, err := run(ctx, &m.req)
			if err != nil {
				return dst, err
			}
			return appendReply(c, dst, reply)
		}
		var empty Reply
		m.reply = empty
		if err := fn(ctx, &m.req, &m.reply); err != nil {
			return dst, err
		}
		return appendReply(c, dst, &m.reply)
	}
	return s.add(&method{path: path, inline: true, serve: serve})
}

func badArgument(err error) error { return Errorf(CodeBadRequest, "decode argument: %v", err) }

func appendReply(c codec, dst []byte, reply any) ([]byte, error) {
	if reply == nil {
		return dst, Errorf(CodeInternal, "handler returned neither reply nor error")
	}
	out, err := c.append(dst, reply)
	if err != nil {
		return dst, Errorf(CodeInternal, "encode reply: %v", err)
	}
	return out, nil
}
