package bucket

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/gohone/hone/internal/text/fail"
)

// Serve answers the requests that come in, until they end.
func Serve(ctx context.Context, in io.Reader, out io.Writer, p Place) error {
	requests, answers := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var r request
		switch err := requests.Decode(&r); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fail.New(fail.BadInput, "read what hone asks: %w", err).WithHint("hone runs this command by itself")
		}
		last := answer{Done: true}
		var mu sync.Mutex
		err := serve(ctx, p, r, func(o Object) error {
			mu.Lock()
			defer mu.Unlock()
			return answers.Encode(answer{Object: &o})
		})
		if err != nil {
			last = answer{Error: &fault{int(fail.KindOf(err)), err.Error(), fail.HintOf(err)}}
		}
		if err := answers.Encode(last); err != nil {
			return err
		}
	}
}

// serve answers one request. say may be called from several goroutines.
func serve(ctx context.Context, p Place, r request, say func(Object) error) error {
	switch {
	case r.Put != nil:
		return p.Put(ctx, *r.Put)
	case r.List:
		all, err := p.List(ctx)
		for _, o := range all {
			if err == nil {
				err = say(o)
			}
		}
		return err
	}
	return p.Get(ctx, r.Get, r.Most, say)
}
