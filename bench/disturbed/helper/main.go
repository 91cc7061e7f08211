// Command helper is what stands beside the disturbed service: a backend, the TCP proxy in front of it, a collector that
// reads what the service writes, and programs that disturb: one that spins, and one that writes to the disk.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

func main() {
	if len(os.Args) < 2 {
		log.Fatal("want the name of a part: backend, proxy, collect, spin, write")
	}
	f := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	address := f.String("addr", "", "address to listen at")
	to := f.String("to", "", "address of what the proxy stands before")
	path := f.String("path", "", "pipe to read, or directory to write in")
	threads := f.Int("threads", 1, "threads that spin or write")
	on := f.Duration("on", 0, "how long it disturbs")
	off := f.Duration("off", 0, "how long it rests after that; 0 means never")
	_ = f.Parse(os.Args[2:]) // it exits
	parts := map[string]func() error{
		"backend": func() error {
			return http.ListenAndServe(*address, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte("ok\n"))
			}))
		},
		"proxy":   func() error { return proxy(*address, *to) },
		"collect": func() error { return collect(*path, *on, *off) },
		"spin":    func() error { return inThreads(*threads, func(int) error { return spin(*on, *off) }) },
		"write":   func() error { return inThreads(*threads, func(i int) error { return write(*path, i) }) },
	}
	part := parts[os.Args[1]]
	if part == nil {
		log.Fatalf("no part %q", os.Args[1])
	}
	log.Fatal(part())
}

// inThreads runs do in threads of their own until one has an error.
func inThreads(n int, do func(i int) error) error {
	failed := make(chan error)
	runtime.GOMAXPROCS(n + 1) // the collector and the clock need a processor now and then
	for i := range n {
		go func() {
			runtime.LockOSThread()
			failed <- do(i)
		}()
	}
	return <-failed
}

// proxy hands bytes on between its clients and a server.
func proxy(address, to string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	for {
		client, err := l.Accept()
		if err != nil {
			return err
		}
		server, err := net.Dial("tcp", to)
		if err != nil {
			return err
		}
		for _, way := range [][2]net.Conn{{client, server}, {server, client}} {
			go func() {
				_, _ = io.Copy(way[0], way[1]) // ends with the connection
				client.Close()
				server.Close()
			}()
		}
	}
}

// pipeSize is the room of the pipe: 32 lines of the service's.
const pipeSize = 16 << 10

// collect reads a pipe. With on it reads nothing for so long, now and then, as one does that waits for its disk.
func collect(path string, on, off time.Duration) error {
	pipe, err := os.OpenFile(path, os.O_RDWR, 0) // also for writing, so that it has no end
	if err != nil {
		return err
	}
	if _, err := unix.FcntlInt(pipe.Fd(), unix.F_SETPIPE_SZ, pipeSize); err != nil {
		return err
	}
	buffer := make([]byte, pipeSize)
	for began := time.Now(); ; {
		if on > 0 && time.Since(began) >= off {
			time.Sleep(on)
			began = time.Now()
		}
		if _, err := pipe.Read(buffer); err != nil {
			return err
		}
	}
}

// spin uses all of a CPU, for on of each on + off.
func spin(on, off time.Duration) error {
	for {
		for began := time.Now(); off == 0 || time.Since(began) < on; {
			for range 1000 {
				_ = began
			}
		}
		time.Sleep(off)
	}
}

// write writes 16 MiB again and again, each of them through to the disk.
func write(dir string, i int) error {
	f, err := os.Create(filepath.Join(dir, fmt.Sprint("load", i)))
	if err != nil {
		return err
	}
	block := make([]byte, 1<<20)
	for n := int64(0); ; n++ {
		if _, err := f.WriteAt(block, n%16<<20); err != nil {
			return err
		}
		if err := f.Sync(); err != nil {
			return err
		}
	}
}
