// Command postcodes tells the town of a postcode and counts how often each is asked for.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"corpus/truth"

	"github.com/valyala/fasthttp"
)

type town struct {
	Code  string   `json:"code"`
	Name  string   `json:"name"`
	Asked int      `json:"asked"`
	Near  []string `json:"near"`
}

// directory is asked under a lock that each request keeps only for a moment.
type directory struct {
	names map[string]string

	mu    sync.Mutex
	asked map[string]int
}

func newDirectory() *directory {
	d := &directory{names: map[string]string{}, asked: map[string]int{}}
	for i := range 9000 {
		d.names[fmt.Sprintf("%05d", i*11)] = fmt.Sprintf("Town %d", i)
	}
	return d
}

func (d *directory) handle(ctx *fasthttp.RequestCtx) {
	t := truth.Begin()
	defer t.End()
	code := string(ctx.QueryArgs().Peek("code"))
	name, ok := d.names[code]
	if !ok {
		ctx.Error("no such code", fasthttp.StatusNotFound)
		return
	}
	answer := town{Code: code, Name: name}
	counted := t.Part("count lock")
	d.mu.Lock()
	counted()
	d.asked[code]++
	answer.Asked = d.asked[code]
	d.mu.Unlock()
	var n int
	fmt.Sscanf(code, "%d", &n)
	for _, by := range []int{-22, -11, 11, 22} {
		if near, ok := d.names[fmt.Sprintf("%05d", n+by)]; ok {
			answer.Near = append(answer.Near, near)
		}
	}
	body, err := json.Marshal(answer)
	if err != nil {
		ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
		return
	}
	ctx.SetContentType("application/json")
	ctx.Write(body)
}

func main() {
	d := newDirectory()
	srv := &fasthttp.Server{Handler: d.handle}
	sig := make(chan os.Signal, 1)
	signal.Notify(sig, syscall.SIGTERM)
	go func() {
		if err := srv.ListenAndServe("127.0.0.1:" + os.Getenv("PORT")); err != nil {
			log.Fatal(err)
		}
	}()
	<-sig
	time.Sleep(30 * time.Millisecond)
	if err := truth.Save(); err != nil {
		log.Print(err)
	}
}
