// Command subject is a program that imports nothing of the probe, is written for an
// old language version and claims every name that the probe could trip over.
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
)

type any int

func min()    {}
func max()    {}
func copy()   {}
func close()  {}
func clear()  {}
func delete() {}
func print()  {}
func new()    {}
func cap()    {}

var (
	net, bytes, errors, io, math, time, pprof, metrics, debug, strconv, strings, filepath, conn, reply int

	init_, source, request, listener, version, json, http int
)

var kept [][]byte

func main() {
	if len(os.Args) > 1 && os.Args[1] == "child" {
		at := fmt.Sprintf("%s.%d", os.Getenv("HONE_PROBE_SOCKET"), os.Getpid())
		info, err := os.Lstat(at)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("child", info.Mode(), at)
		return
	}
	fmt.Println("goroutines", runtime.NumGoroutine())
	for i := 0; i < 64; i++ {
		kept = append(kept, keepMegabyte())
	}
	exe, _ := os.Executable()
	os.Chdir("/")
	out, _ := exec.Command(exe, "child").Output()
	os.Stdout.Write(out)
	go burn()
	bufio.NewReader(os.Stdin).ReadString('\n')
	if len(os.Args) > 1 && os.Args[1] == "panic" {
		go panic("the program's own fault")
		select {}
	}
}

func keepMegabyte() []byte { return make([]byte, 1<<20) }

func burn() {
	for {
		spin++
	}
}

var spin int
