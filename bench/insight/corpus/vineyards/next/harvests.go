package main

import (
	"encoding/json"

	"github.com/valyala/fasthttp"
)

// harvests answers questions about all harvests.
type harvests struct {
	all []harvest
}

func (h *harvests) handle(ctx *fasthttp.RequestCtx) {
	switch string(ctx.Path()) {
	case "/summary":
		h.summary(ctx)
	case "/grapes":
		writeJSON(ctx, grapes)
	default:
		ctx.Error("no such page", fasthttp.StatusNotFound)
	}
}

func (h *harvests) summary(ctx *fasthttp.RequestCtx) {
	writeJSON(ctx, summarize(h.all, readQuery(ctx.QueryArgs())))
}

// A query says which harvests count.
type query struct {
	slope    string
	from, to int
}

func readQuery(args *fasthttp.Args) query {
	return query{
		slope: string(args.Peek("slope")),
		from:  args.GetUintOrZero("from"),
		to:    args.GetUintOrZero("to"),
	}
}

func writeJSON(ctx *fasthttp.RequestCtx, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
		return
	}
	ctx.SetContentType("application/json")
	ctx.SetBody(body)
}
