package main

import (
	"strconv"

	"github.com/valyala/fasthttp"
)

type handler struct {
	library *library
}

func newHandler(l *library) *handler { return &handler{library: l} }

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
	changes := compare(a, b)
	ctx.SetContentType("text/plain; charset=utf-8")
	out := make([]byte, 0, 4096)
	for _, c := range changes {
		out = append(out, c.op)
		out = strconv.AppendInt(out, int64(c.line+1), 10)
		out = append(out, ' ')
		out = append(out, c.text...)
		out = append(out, '\n')
	}
	ctx.SetBody(out)
}
