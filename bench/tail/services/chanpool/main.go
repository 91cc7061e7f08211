// Command chanpool lets two at a time use a printer, by tokens in a channel. Now and then an export
// takes both tokens and keeps them while a backend reads.
package main

import (
	"context"
	"hash/crc32"
	"io"
	"net/http"
	"time"

	"github.com/gohone/hone/bench/tail/backend"
	"github.com/gohone/hone/bench/tail/serving"
)

const width = 2

type printer struct {
	tokens chan struct{}
	page   [512]byte
	client *http.Client
	reader string // answers after 12 ms
}

func main() { serving.Main(start) }

func start(ctx context.Context) (serving.Handler, error) {
	b, err := backend.Start(ctx)
	if err != nil {
		return nil, err
	}
	p := &printer{tokens: make(chan struct{}, width), client: b.Client(0), reader: b.URL(12 * time.Millisecond)}
	go serving.Every(ctx, 240*time.Millisecond, p.export)
	return p.print, nil
}

func (p *printer) print(_ context.Context, r *serving.Request) error {
	began := time.Now()
	p.tokens <- struct{}{} // cause: channel
	r.Waited(1, began)
	crc32.ChecksumIEEE(p.page[:])
	<-p.tokens
	return nil
}

func (p *printer) export(context.Context) {
	for range width {
		p.tokens <- struct{}{}
	}
	answer, err := p.client.Get(p.reader) // behind
	if err == nil {
		_, _ = io.Copy(io.Discard, answer.Body) // one that fails comes again
		answer.Body.Close()
	}
	for range width {
		<-p.tokens
	}
}
