package main

import (
	"fmt"
	"net"
	"net/http"
	"time"
)

// startCompanies starts stand-ins for the interfaces of the bus companies. Each takes some milliseconds to answer.
func startCompanies(n int) ([]string, error) {
	var urls []string
	for i := range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		delay := time.Duration(3+i%3) * time.Millisecond
		go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(delay)
			stop := r.URL.Query().Get("stop")
			for k := range 3 {
				fmt.Fprintf(w, "%02d:%02d N%d %s\n", k, (len(stop)*7+i*13+k*5)%60, i*10+k, stop)
			}
		}))
		urls = append(urls, "http://"+l.Addr().String()+"/departures")
	}
	return urls, nil
}
