// Package stay is what all programs of the corpus share: a modest rest of memory, the pages of net/http/pprof and expvar,
// what the program says of its own memory, and that it stays until its standard input is closed.
package stay

import (
	"bufio"
	"encoding/json"
	_ "expvar"
	"fmt"
	"io"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"
	"strings"
)

// Program is one program of the corpus.
type Program struct {
	// Rest allocates what the program has besides; nil for no more than every program has.
	Rest func()
	// Plant has the memory in place, of which the comment //planted: says the kind.
	Plant func()
}

// Ready is what a program prints after the word ready.
type Ready struct {
	Address string  `json:"address"` // of net/http/pprof
	Base    Figures `json:"base"`    // before it planted
	Now     Figures `json:"now"`
}

// settings are what every program holds.
var settings = map[string][]byte{}

// Main is the main function of a program.
func (p Program) Main() {
	r, err := p.start()
	if err == nil {
		err = say("ready", r)
	}
	if err == nil {
		_, err = io.Copy(io.Discard, os.Stdin)
	}
	var left Figures
	if err == nil {
		left, err = figures()
	}
	if err == nil {
		err = say("left", left)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	runtime.KeepAlive(settings)
}

func (p Program) start() (r Ready, err error) {
	for i := range 1500 {
		settings[fmt.Sprint("setting ", i)] = []byte(strings.Repeat(fmt.Sprint("value ", i), 400))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return r, err
	}
	go http.Serve(l, nil) // ends with the process
	r.Address = l.Addr().String()
	if p.Rest != nil {
		p.Rest()
	}
	runtime.GC()
	if r.Base, err = figures(); err != nil {
		return r, err
	}
	p.Plant()
	r.Now, err = figures()
	return r, err
}

func say(word string, what any) error {
	text, err := json.Marshal(what)
	if err == nil {
		_, err = fmt.Println(word, string(text))
	}
	return err
}

// Touch reads a byte of each page of data, and returns their sum.
func Touch(data []byte) (sum byte) {
	for i := 0; i < len(data); i += 4096 {
		sum += data[i]
	}
	return sum
}

// Fill writes to each byte of data.
func Fill(data []byte) []byte {
	for i := range data {
		data[i] = byte(i>>4) | 1
	}
	return data
}

// Must ends the program after an error.
func Must[T any](v T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return v
}

// File is a new file of some bytes in a directory; "" stands for that of temporary files. Its name is gone already.
func File(dir string, size int) *os.File {
	f := Must(os.CreateTemp(dir, "resident-"))
	Must(0, os.Remove(f.Name()))
	w := bufio.NewWriterSize(f, 1<<16)
	for i := range size / 16 {
		Must(fmt.Fprintf(w, "%015d\n", i*7919%1_000_003))
	}
	Must(0, w.Flush())
	return f
}
