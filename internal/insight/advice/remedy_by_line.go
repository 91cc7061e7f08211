package advice

import (
	"strings"

	"github.com/gohone/hone/internal/insight/facts"
)

// What to do about a finding of one rule depends on what its line calls: a remedy for reading does not help who writes,
// and none names a package that the line does not use.

// remedyByLine is the remedy of a rule for lines of one kind.
type remedyByLine struct {
	remedyFor
	// code is a part of the statement, calls are functions on the stacks below the line; empty: any.
	code  string
	calls []string
}

// fits says whether a finding is at such a line.
func (r *remedyByLine) fits(v *search, f *found) bool {
	if len(r.of) > 0 && !f.isAbout(r.of) || !strings.Contains(f.Code, r.code) {
		return false
	}
	if len(r.calls) == 0 {
		return true
	}
	for _, i := range f.stacks {
		if v.Stacks[i].Find(func(one *facts.Frame) bool { return one.Is(r.calls...) }) >= 0 {
			return true
		}
	}
	return false
}

// remedyAt is the remedy for what the line of a finding calls, the rule's own where none is.
func (v *search) remedyAt(f *found) Remedy {
	for _, r := range remediesByLine[f.rule.Name] {
		if r.fits(v, f) {
			return r.Remedy
		}
	}
	return f.rule.Remedy
}

func forCalls(of []string, r Remedy) remedyByLine { return remedyByLine{remedyFor: remedyFor{of, r}} }

func forCode(code string, r Remedy) remedyByLine {
	return remedyByLine{remedyFor: remedyFor{nil, r}, code: code}
}

// remediesByLine are by the names of rules; the first that fits is taken.
var remediesByLine = map[string][]remedyByLine{
	"append-growth": {
		forCalls([]string{"io.ReadAll", "os.ReadFile"}, Remedy{
			Change: "Copy from the reader to the writer where the data is only passed on: io.Copy keeps " +
				"nothing, and sends a file without reading it. Where all of it is needed and its size is " +
				"known, read it into a slice of that size.",
			Before: "data, err := io.ReadAll(f)\nw.Write(data)",
			After:  "_, err := io.Copy(w, f) // or: data := make([]byte, size); io.ReadFull(f, data)",
		}),
		forCalls([]string{"runtime.concatstring*"}, Remedy{
			Change: "A string that grows in a loop by + copies all of itself each time. Use a strings.Builder " +
				"with Grow, or append to a byte slice that is used again.",
			Before: "s := \"\"\nfor _, row := range rows { s += row }",
			After:  "var b strings.Builder\nb.Grow(size)\nfor _, row := range rows { b.WriteString(row) }",
		}),
	},
	"file-per-request": {
		forCode("os.O_APPEND", keptFile), forCode("os.O_WRONLY", keptFile), forCode("os.O_RDWR", keptFile),
		forCode("os.Create(", keptFile),
	},
	"codec-per-message": {
		{remedyFor: remedyFor{[]string{"encoding/gob.*"}, lonelyGob}, calls: []string{"net/http.(*conn).serve",
			"net/http.(*http2serverConn).runHandler", "google.golang.org/grpc.(*Server).*"}},
		forCalls([]string{"encoding/gob.NewDecoder", "encoding/gob.(*Decoder).*"}, Remedy{
			Change: "A decoder of gob receives and compiles the types of its stream once: keep one for each " +
				"connection, and its encoder on the other side. For single messages use a codec without state.",
			Before: "gob.NewDecoder(conn).Decode(&msg) // for each message",
			After:  "dec := gob.NewDecoder(conn) // once for a connection\ndec.Decode(&msg)",
		}),
	},
	"json-any": {
		forCalls([]string{"encoding/json.(*Decoder).Decode"}, Remedy{
			Change: "Decode into a struct with the fields that are used: a map of any allocates for each key " +
				"and value, and each number becomes a float64 in an interface.",
			Before: "var m map[string]any\ndec.Decode(&m)\nid := m[\"id\"].(string)",
			After:  "var m struct{ ID string `json:\"id\"` }\ndec.Decode(&m)",
		}),
	},
	"gc-thrash": {
		forCode("SetGCPercent(", Remedy{
			Change: "debug.SetGCPercent goes before GOGC in the environment: leave the call out, or give it a " +
				"larger number. The collector starts when the heap has grown by so many percent of what is " +
				"live; 400 makes collections four times as rare as 100, for memory.",
			Before: "debug.SetGCPercent(10)",
			After:  "debug.SetGCPercent(400) // or no call: 100",
		}),
		forCode("SetMemoryLimit(", Remedy{
			Change: "debug.SetMemoryLimit goes before GOMEMLIMIT in the environment: with a limit near what is " +
				"live the collector runs all the time. Leave the call out, or set the limit to what the " +
				"machine can spare.",
			Before: "debug.SetMemoryLimit(32 << 20)",
			After:  "debug.SetMemoryLimit(512 << 20)",
		}),
	},
	"reflection": {
		forCalls([]string{"reflect.StructTag.*", "reflect.(*rtype).Field*", "reflect.(*rtype).Method*",
			"reflect.VisibleFields"}, Remedy{
			Change: "What reflection says of a type is the same each time. Read its fields and tags once for " +
				"each type, and keep them where they are used, or in a sync.Map by reflect.Type.",
			Before: "for _, row := range rows { write(row, columnsOf(reflect.TypeOf(row))) }",
			After:  "columns := columnsOf(reflect.TypeFor[Row]()) // once\nfor _, row := range rows { write(row, columns) }",
		}),
	},
	"string-conversion": {
		forCode("range string(", Remedy{
			Change: "Go over the bytes: utf8.DecodeRune takes one character after the other from a byte slice, " +
				"without a copy of all of it.",
			Before: "for _, c := range string(line) { use(c) }",
			After:  "for len(line) > 0 { c, n := utf8.DecodeRune(line); use(c); line = line[n:] }",
		}),
	},
	"time-format": {
		forCalls([]string{"time.Parse*", "time.parse*"}, Remedy{
			Change: "The same texts are parsed again and again. Parse each once, where it is stored or before the sort, " +
				"and keep the time with it.",
			Before: "t, err := time.Parse(\"2006-01-02\", item.day) // for each request, or each comparison",
			After:  "item.at, err = time.Parse(\"2006-01-02\", item.day) // once, where the item is made",
		}),
		forCalls([]string{"time.Time.*"}, Remedy{
			Change: "A time stamp that is the same for a second can be formatted once in a second; " +
				"AppendFormat into a buffer that is used again allocates nothing.",
			Before: "s := t.Format(layout)",
			After:  "buf = t.AppendFormat(buf[:0], layout)",
		}),
	},
	"compressor-per-call": {
		forCode("zlib.", pooledCompressor("*zlib.Writer", "return zlib.NewWriter(nil)")),
		forCode("flate.", pooledCompressor("*flate.Writer", "w, _ := flate.NewWriter(nil, level); return w")),
		forCode("zstd.", pooledCompressor("*zstd.Encoder", "w, _ := zstd.NewWriter(nil); return w")),
		forCode("brotli.", pooledCompressor("*brotli.Writer", "return brotli.NewWriter(nil)")),
	},
	"call-in-loop": {
		{remedyFor: remedyFor{nil, loopOverHTTP}, calls: []string{"net/http.(*Client).*", "net/http.(*Transport).*"}},
	},
	"client-per-call": clientRemedies,
}

// pooledCompressor is the rule's remedy for compressors of a type that this body of a function makes.
func pooledCompressor(kind, made string) Remedy {
	return Remedy{
		Change: "A compressor allocates tables and windows of 10 kB to 1 MB before it sees the first byte. " +
			"Keep it and call Reset with the next destination: one for each worker, or a sync.Pool of " +
			"them. Data that is the same for many receivers needs to be compressed only once.",
		Before: "zw := newWriter(dst) // in each request\nzw.Write(data)\nzw.Close()",
		After: "zw := writers.Get().(" + kind + ") // var writers = sync.Pool{New: func() any { " + made + " }}\n" +
			"zw.Reset(dst)\nzw.Write(data)\nzw.Close()\nwriters.Put(zw)",
	}
}

// keptFile is for files that are written.
var keptFile = Remedy{
	Change: "Open the file once, and keep it with what writes to it: an append needs no new " +
		"descriptor. Close it when the program ends, or after it was not used for a while.",
	Before: "f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644) // in each request\n" +
		"f.Write(line)\nf.Close()",
	After: "f, err := journal.file(name) // opened at the first use, and kept\nf.Write(line)",
}

// lonelyGob is for streams of gob that are not a connection of the program's own protocol: a file, a body, a copy in
// memory.
var lonelyGob = Remedy{
	Change: "Each file, body or buffer is a stream of gob of its own, so that types are sent and compiled again for " +
		"each. Keep what was decoded while the source stays the same, or use a codec that compiles a type once for the " +
		"program (encoding/json, protobuf). A deep copy is cheaper by a function that copies the fields.",
	Before: "gob.NewDecoder(file).Decode(&index) // in each request",
	After:  "if modified.After(s.read) { dec := gob.NewDecoder(file); err = dec.Decode(&s.index) } // else what is kept",
}

// keptConnection is for connections that the program dials itself, or by way of a client that is not one of HTTP.
var keptConnection = Remedy{
	Change: "Keep connections for the next call: a few to each server in a pool (a channel), each used by one " +
		"call at a time, and dialled again after an error or a long pause. Where answers have an id, " +
		"one connection carries the calls of all requests.",
	Before: "conn, err := net.Dial(\"tcp\", addr) // in each request\ndefer conn.Close()",
	After:  "conn, err := conns.get(ctx) // dials if none is free\ndefer conns.put(conn, &err) // closes it on an error",
}

// keptSocket is keptConnection for UDP.
var keptSocket = Remedy{
	Change: "A socket of UDP can be used again: keep a few that are connected to each server, each for one call at a " +
		"time, and drop answers whose id is not the one that was asked with. Each call then saves the socket, its port " +
		"and its close. A client of DNS has a call that takes such a connection. Where the port of each question has to " +
		"be another one, against forged answers, the sockets are the price.",
	Before: "conn, err := net.Dial(\"udp\", server) // in each request\ndefer conn.Close()",
	After:  "conn, err := conns.get(ctx) // dials if none is free\ndefer conns.put(conn, &err) // closes it on an error",
}

// clientRemedies are by what is set up; the rule's own is for clients of HTTP.
var clientRemedies = []remedyByLine{
	forCalls([]string{"database/sql.*"}, Remedy{
		Change: "A sql.DB is a pool of connections, and safe for concurrent use: open it once, when the " +
			"program starts, and share it. Opened for each call, it connects and logs in each time.",
		Before: "db, err := sql.Open(driver, dsn) // in each request\ndefer db.Close()",
		After:  "s.db, err = sql.Open(driver, dsn) // where s is made\ns.db.SetMaxIdleConns(32)",
	}),
	forCalls([]string{"crypto/aes.*", "crypto/cipher.*", "golang.org/x/crypto/chacha20poly1305.*",
		"golang.org/x/crypto/blowfish.*", "golang.org/x/crypto/twofish.*"}, Remedy{
		Change: "A cipher computes its tables from the key each time that it is made. Make it where the " +
			"key is loaded, and share it: a cipher.Block and a cipher.AEAD are safe for concurrent use.",
		Before: "block, err := aes.NewCipher(key) // in each request\naead, err := cipher.NewGCM(block)",
		After:  "s.aead, err = cipher.NewGCM(block) // where s is made",
	}),
	forCalls([]string{"crypto/hmac.New"}, Remedy{
		Change: "hmac.New hashes the key each time. Keep the hash with its key and call Reset: one for " +
			"each goroutine, or a sync.Pool of them, since a hash is not safe for concurrent use.",
		Before: "mac := hmac.New(sha256.New, key)\nmac.Write(data)",
		After: "mac := macs.Get().(hash.Hash) // var macs = sync.Pool{New: ...}\nmac.Reset()\n" +
			"mac.Write(data)\nmacs.Put(mac)",
	}),
	forCalls([]string{"crypto/tls.X509KeyPair", "crypto/tls.LoadX509KeyPair", "crypto/x509.*", "encoding/pem.*",
		"crypto/rsa.*", "crypto/ecdsa.*", "crypto/ed25519.*"}, Remedy{
		Change: "Parse or make the certificate, key or pool once, when the program starts, and share it: " +
			"none of them is changed by its use.",
		Before: "cert, err := x509.ParseCertificate(der) // in each request",
		After:  "s.cert, err = x509.ParseCertificate(der) // where s is made",
	}),
	forCalls([]string{"google.golang.org/grpc.*"}, Remedy{
		Change: "A grpc.ClientConn carries any number of calls at the same time: make one for each server, " +
			"and share it.",
		Before: "conn, err := grpc.NewClient(target) // in each request\ndefer conn.Close()",
		After:  "s.conn, err = grpc.NewClient(target) // where s is made",
	}),
	{remedyFor: remedyFor{nil, sharedClient}, calls: []string{"net/http.(*Transport).*", "net/http.(*Client).*"}},
	{remedyFor: remedyFor{nil, keptSocket}, calls: []string{"net.(*sysDialer).dialUDP", "net.DialUDP"}},
	forCalls([]string{"net.Dial*", "net.(*Dialer).*"}, keptConnection),
}
