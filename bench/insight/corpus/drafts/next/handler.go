package main

import (
	"runtime"
	"strconv"

	"github.com/valyala/fasthttp"
)

type handler struct {
	library *library
	workers *workers
}

func newHandler(l *library) *handler {
	return &handler{library: l, workers: newWorkers(runtime.NumCPU())}
}

func (h *handler) serve(ctx *fasthttp.RequestCtx) {
	switch string(ctx.Path()) {
	case "/changes":
		h.changes(ctx)
	case "/healthz":
		ctx.SetBodyString("ok\n")
	default:
		ctx.Error("no such page", fasthttp.StatusNotFound)
	}
}

func (h *handler) changes(ctx *fasthttp.RequestCtx) {
	args := ctx.QueryArgs()
	a, b, ok := h.library.drafts(args.GetUintOrZero("text"), args.GetUintOrZero("from"), args.GetUintOrZero("to"))
	if !ok {
		ctx.Error("no such draft", fasthttp.StatusNotFound)
		return
	}
	ctx.SetContentType("text/plain; charset=utf-8")
	ctx.SetBody(format(h.workers.compare(a, b)))
}

// format writes the changes, one a line.
func format(changes []change) []byte {
	out := make([]byte, 0, 4096)
	for i := range changes {
		out = changes[i].append(out)
	}
	return out
}

func (c *change) append(out []byte) []byte {
	out = append(out, c.op)
	out = strconv.AppendInt(out, int64(c.line+1), 10)
	out = append(out, ' ')
	out = append(out, c.text...)
	return append(out, '\n')
}
