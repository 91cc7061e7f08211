// Command loadsvc is the server that the stories of hone load are told about: a plain
// net/http service with paths that misbehave, each at every third request.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go/http3"
)

func main() {
	addr := flag.String("addr", "", "host:port to listen on")
	unix := flag.String("unix", "", "path of a Unix socket to listen on instead")
	secure := flag.Bool("tls", false, "speak TLS, with a certificate of our own making")
	ready := flag.String("ready", "", "file that appears when we listen")
	quic := flag.Bool("http3", false, "speak HTTP/3 alone, over UDP")
	flag.Parse()
	if *quic {
		log.Fatal(serveHTTP3(*addr, *ready))
	}
	network, address := "tcp", *addr
	if *unix != "" {
		network, address = "unix", *unix
	}
	l, err := net.Listen(network, address)
	if err == nil && *secure {
		var cert tls.Certificate
		cert, err = certificate()
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"h2", "http/1.1"}})
	}
	if err == nil && *ready != "" {
		err = os.WriteFile(*ready, []byte("listening\n"), 0o600)
	}
	if err != nil {
		log.Fatal(err)
	}
	s := &http.Server{Handler: handler(), Protocols: new(http.Protocols), ErrorLog: log.New(os.Stdout, "", 0)}
	s.Protocols.SetHTTP1(true)
	s.Protocols.SetHTTP2(true)
	s.Protocols.SetUnencryptedHTTP2(true)
	log.Fatal(s.Serve(l))
}

// serveHTTP3 serves on a UDP port.
func serveHTTP3(addr, ready string) error {
	cert, err := certificate()
	if err != nil {
		return err
	}
	conn, err := net.ListenPacket("udp", addr)
	if err != nil {
		return err
	}
	if ready != "" {
		if err := os.WriteFile(ready, []byte("listening\n"), 0o600); err != nil {
			return err
		}
	}
	s := &http3.Server{Handler: handler(), TLSConfig: http3.ConfigureTLSConfig(&tls.Config{Certificates: []tls.Certificate{cert}})}
	return s.Serve(conn)
}

func handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "ok") })
	mux.HandleFunc("/items", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"id": %q, "user": {"name": "Ann"}}`, r.URL.Query().Get("id"))
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) })
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) { time.Sleep(20 * time.Millisecond) })
	mux.HandleFunc("/never", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	third(mux, "/status", func(w http.ResponseWriter) { http.Error(w, "no", http.StatusInternalServerError) })
	third(mux, "/close", func(w http.ResponseWriter) { raw(w, "") })
	third(mux, "/garbage", func(w http.ResponseWriter) { raw(w, "\x00\x01 this is not HTTP\r\n\r\n") })
	third(mux, "/truncated", func(w http.ResponseWriter) { raw(w, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf") })
	third(mux, "/extra", func(w http.ResponseWriter) { raw(w, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more") })
	return mux
}

// third answers every third request on a path with bad, the others with "ok".
func third(mux *http.ServeMux, path string, bad func(http.ResponseWriter)) {
	var served atomic.Int64
	mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		if served.Add(1)%3 == 0 {
			bad(w)
			return
		}
		fmt.Fprint(w, "ok")
	})
}

// raw writes bytes past net/http and closes the connection.
func raw(w http.ResponseWriter, text string) {
	conn, buf, err := w.(http.Hijacker).Hijack()
	if err != nil {
		log.Fatal(err)
	}
	buf.WriteString(text)
	buf.Flush()
	conn.Close()
}

// certificate makes a certificate for localhost without a signature of an authority.
func certificate() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
