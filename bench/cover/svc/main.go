// Command svc is one of the services, with its access log, and net/http/pprof at an address of its own.
package main

import (
	"flag"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"

	"github.com/gohone/hone/bench/cover/services"
)

func main() {
	address := flag.String("addr", "127.0.0.1:8080", "address to listen at")
	profiles := flag.String("pprof", "", "address of net/http/pprof; none if empty")
	logFile := flag.String("log", os.DevNull, "`file` of the access log")
	rate := flag.Int("hz", 100, "samples of a CPU profile for each second of CPU time")
	name := flag.String("service", "", "name of the service")
	flag.Parse()
	service, ok := services.Named(*name)
	if !ok {
		log.Fatalf("no service %q", *name)
	}
	out, err := os.OpenFile(*logFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		log.Fatal(err)
	}
	if *profiles != "" {
		go func() { log.Fatal(http.ListenAndServe(*profiles, sampled(*rate))) }() // until the process ends
	}
	ln, err := net.Listen("tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(service.Serve(ln, out))
}

// sampled is net/http/pprof with a rate of CPU profiles. The runtime says on stderr that the rate is not its own.
func sampled(rate int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/debug/pprof/profile" && rate != 100 {
			runtime.SetCPUProfileRate(rate)
		}
		http.DefaultServeMux.ServeHTTP(w, r)
	})
}
