package advice

import (
	"fmt"
	"go/ast"
	"path"
	"strings"

	"github.com/gohone/hone/prof"
)

// Things that are made for each call and could be made once. Their cost is that of the constructor, and of the
// collector's work for what it allocates.

var compressorPerCall = &Rule{
	Name: "compressor-per-call", Title: "a compressor for each call",
	Looks: "time and bytes under the constructors of packages that compress (flate, gzip, zlib, zstd, brotli and the " +
		"like), also where they run at the first write",
	Change: "A compressor allocates tables and windows of 10 kB to 1 MB before it sees the first byte. Keep it and call " +
		"Reset with the next destination: one for each worker, or a sync.Pool of them. Data that is the same for many " +
		"receivers needs to be compressed only once.",
	Before: "zw := gzip.NewWriter(dst)\nzw.Write(data)\nzw.Close()",
	After: "zw := writers.Get().(*gzip.Writer) // var writers = sync.Pool{New: func() any { return " +
		"gzip.NewWriter(nil) }}\nzw.Reset(dst)\nzw.Write(data)\nzw.Close()\nwriters.Put(zw)",
	Mechanical: true,
	Find: func(v *View, r *Rule) []*found {
		all := v.spendsOn(r, func(s *stack) int {
			if s.find(resets) >= 0 {
				return -1 // it is used again
			}
			return calls(makesCompressor)(s)
		}, func(u *use) string {
			return fmt.Sprintf("%s makes a new compressor for each call%s", v.compressorOf(u),
				u.perRequest("allocations"))
		})
		for _, f := range all {
			v.atConstructor(f)
		}
		return all
	},
}

// atConstructor moves a finding from the line of the first write, at which a compressor allocates, to the line that
// makes it, where the user's source names one constructor of such a package only.
func (v *View) atConstructor(f *found) {
	if v.source(f.Place.File).callsPrefix(int(f.Place.Line), "New") {
		return
	}
	var made []Place
	for _, r := range v.references() {
		if compresses(r.pkg) && strings.HasPrefix(r.name, "New") && !strings.HasPrefix(r.name, "NewReader") {
			made = append(made, r.place)
		}
	}
	if len(made) == 1 && made[0].Line != f.Place.Line {
		f.Evidence = append(f.Evidence, Evidence{Source: "source",
			Text: "made here, and its tables are allocated at the first write: " + f.Place.String()})
		f.Place = made[0]
	}
}

// resets takes the methods that make a library's value ready to be used again.
func resets(f *frame) bool {
	return f.origin != prof.Own && f.origin != prof.Runtime &&
		(strings.HasSuffix(f.name, ").Reset") || strings.HasSuffix(f.name, ").reset"))
}

// makesCompressor takes constructors of packages that compress, and what a writer of theirs makes when it is used
// first.
func makesCompressor(f *frame) bool {
	if f.origin != prof.Standard && f.origin != prof.Dependency {
		return false
	}
	if !compresses(f.pkg) {
		return false
	}
	name := f.name[strings.LastIndexByte(f.name, '.')+1:]
	for _, prefix := range []string{"New", "new", "init", "Init", "ensure"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func compresses(pkg string) bool {
	switch path.Base(pkg) {
	case "flate", "gzip", "zlib", "lzw", "bzip2", "zstd", "brotli", "snappy", "s2", "lz4", "xz", "lzma", "pgzip", "zip":
		return true
	}
	return false
}

// compressorOf is the package that compresses, as the user's code names it: of several on a stack the outermost, such
// as compress/gzip, which makes one of compress/flate.
func (v *View) compressorOf(u *use) string {
	costs := map[string]float64{}
	for _, i := range u.stacks {
		s := &v.stacks[i]
		own := s.own(calls(makesCompressor)(s))
		if at := s.outermost(func(f *frame) bool { return compresses(f.pkg) }, own); at >= 0 {
			costs[s.frames[at].pkg] += s.cost
		}
	}
	return heaviest(costs)
}

var compilePerCall = &Rule{
	Name: "compile-per-call", Title: "a regular expression or template compiled for each call",
	Looks: "time and bytes under the compilers of regexp, text/template and html/template",
	Change: "Compile it once, in a package variable or when the server starts, and use the compiled value from all " +
		"goroutines: it is safe for concurrent use.",
	Before: "ok := regexp.MustCompile(`^[a-z]+$`).MatchString(s)",
	After:  "var word = regexp.MustCompile(`^[a-z]+$`)\n\nok := word.MatchString(s)", Mechanical: true,
	Find: func(v *View, r *Rule) []*found {
		return remedied(v.spendsOn(r, unless(v.fromRequest,
			askedFor(calls(oneOf("regexp.Compile*", "regexp.MustCompile*", "regexp.compile", "regexp.MatchString",
				"regexp.Match", "regexp.MatchReader",
				"text/template.(*Template).Parse*", "html/template.(*Template).Parse*", "html/template.ParseF*",
				"text/template.ParseF*", "text/template.New", "html/template.New",
				"html/template.(*Template).Clone", "strings.NewReplacer", "strings.(*Replacer).build*")))),
			func(u *use) string {
				return fmt.Sprintf("%s runs for each call%s", u.called(), u.perRequest("allocations"))
			}), templateRemedies)
	},
}

var statementPerCall = &Rule{
	Name: "statement-per-call", Title: "SQL statements prepared for each call",
	Looks: "time and bytes under Prepare of a database/sql.DB, Tx or Conn, and where a driver prepares a statement " +
		"under their Query and Exec",
	Change: "The driver parses and plans the text of the query each time. Prepare it once and call the sql.Stmt, which " +
		"is safe for concurrent use; in a transaction tx.StmtContext takes it. Some drivers have a cache of statements " +
		"that only has to be switched on.",
	Before: "rows, err := db.QueryContext(ctx, \"SELECT name FROM users WHERE id = ?\", id)",
	After: "byID, err := db.Prepare(\"SELECT name FROM users WHERE id = ?\") // once\n" +
		"rows, err := byID.QueryContext(ctx, id)",
	Find: func(v *View, r *Rule) []*found {
		return v.spendsOn(r, func(s *stack) int {
			if at := s.find(oneOf(
				"database/sql.(*DB).Prepare", "database/sql.(*DB).PrepareContext", "database/sql.(*Tx).Prepare",
				"database/sql.(*Tx).PrepareContext", "database/sql.(*Conn).PrepareContext")); at >= 0 {
				return at
			}
			at := s.find(func(f *frame) bool {
				return f.origin != prof.Standard && f.origin != prof.Runtime &&
					strings.Contains(strings.ToLower(f.name), "prepare")
			})
			if at < 0 || s.find(oneOf("database/sql.(*DB).query*", "database/sql.(*DB).exec*",
				"database/sql.ctxDriverQuery", "database/sql.ctxDriverExec")) < at {
				return -1
			}
			return at
		}, func(u *use) string {
			return fmt.Sprintf("%s prepares a statement for each call%s", short(u.what), u.perRequest("allocations"))
		})
	},
}

var timeFormat = &Rule{
	Name: "time-format", Title: "times formatted, parsed or zones loaded for each call",
	Looks: "time and bytes under time.LoadLocation, Format, AppendFormat and Parse",
	Thresholds: []Threshold{
		{Name: "cost", Value: 0.05,
			Reason: "an answer often needs a time of its own, and one Format for it is the price"},
	},
	Change: "Load a time zone once: LoadLocation reads and parses a file each time. A time stamp that is the same for a " +
		"second can be formatted once in a second; AppendFormat into a buffer that is used again allocates nothing.",
	Before: "loc, _ := time.LoadLocation(\"Europe/Berlin\")\ns := t.In(loc).Format(layout)",
	After: "var berlin = sync.OnceValue(func() *time.Location { ... })\n\n" +
		"buf = t.In(berlin()).AppendFormat(buf[:0], layout)", Mechanical: true,
	Find: func(v *View, r *Rule) []*found {
		return v.spendsOn(r, askedFor(calls(oneOf("time.LoadLocation*", "time.Time.Format", "time.Time.AppendFormat",
			"time.Time.String", "time.Parse", "time.ParseInLocation", "time.parse"))), func(u *use) string {
			return fmt.Sprintf("%s runs for each call%s", u.called(), u.perRequest("allocations"))
		})
	},
}

var clientPerCall = &Rule{
	Name: "client-per-call", Title: "a connection, client or key set up for each call",
	Looks: "time and bytes under dialling, handshakes of TLS as a client, and the parsing and making of certificates, " +
		"keys and ciphers",
	Change: "Make the http.Client, tls.Config, certificate pool, key or cipher once and share it: they are safe for " +
		"concurrent use. Read response bodies to their end and close them, and set MaxIdleConnsPerHost to the number of " +
		"requests at the same time, or the transport closes connections that it could use again.",
	Before: "client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}}\nresp, err := client.Get(url)",
	After: "var client = &http.Client{Transport: transport}\n\nresp, err := client.Get(url)\n" +
		"io.Copy(io.Discard, resp.Body)\nresp.Body.Close()",
	Find: func(v *View, r *Rule) []*found {
		all := v.spendsOn(r, calls(setsUp), func(u *use) string {
			return fmt.Sprintf("%s is set up for each call", setUpName(v, u))
		})
		for _, f := range all {
			v.atOpening(f)
		}
		return all
	},
}

// atOpening moves a finding of a pool of connections from the line of the first query, at which it connects, to the
// line that opens the pool, where the user's source has one such line only.
func (v *View) atOpening(f *found) {
	if !strings.Contains(f.Title, "sql.Open") || v.source(f.Place.File).callsPrefix(int(f.Place.Line), "Open") {
		return
	}
	var opened []Place
	for _, r := range v.references() {
		if r.pkg == "database/sql" && strings.HasPrefix(r.name, "Open") {
			opened = append(opened, r.place)
		}
	}
	if len(opened) == 1 {
		f.Evidence = append(f.Evidence, Evidence{Source: "source",
			Text: "opened here, and it connects at the first query: " + f.Place.String()})
		f.Place = opened[0]
	}
}

func setsUp(f *frame) bool {
	return f.origin != prof.Own && f.is(
		"net.(*Dialer).Dial*", "net.Dial*", "net/http.(*Transport).dialConn*", "net/http.(*Transport).Clone",
		"crypto/tls.(*Conn).clientHandshake", "crypto/tls.Dial*", "crypto/tls.(*Dialer).*",
		"crypto/tls.X509KeyPair", "crypto/tls.LoadX509KeyPair", "crypto/x509.Parse*", "crypto/x509.SystemCertPool",
		"crypto/x509.NewCertPool", "crypto/x509.CreateCertificate",
		"crypto/x509.(*CertPool).*", "crypto/x509.(*Certificate).Verify", "crypto/rsa.GenerateKey",
		"crypto/ecdsa.GenerateKey", "crypto/ed25519.GenerateKey", "crypto/aes.NewCipher",
		"crypto/cipher.NewGCM*", "crypto/hmac.New", "encoding/pem.Decode", "golang.org/x/crypto/*.New*",
		"google.golang.org/grpc.NewClient", "google.golang.org/grpc.Dial*",
		"database/sql.Open*", "database/sql.(*DB).openNewConnection", "database/sql.dsnConnector.Connect",
		"database/sql.(*DB).Close", "database/sql.(*driverConn).finalClose")
}

// setUpName names what is set up by the function that costs most.
func setUpName(v *View, u *use) string {
	costs := map[string]float64{}
	for _, i := range u.stacks {
		s := &v.stacks[i]
		at := calls(setsUp)(s)
		if at < 0 {
			continue
		}
		name := s.frames[at].function
		switch {
		case strings.HasPrefix(name, "net/http.(*Transport).dialConn"), strings.HasPrefix(name, "net.(*Dialer)"),
			strings.HasPrefix(name, "net.Dial"):
			name = "a connection (" + short(name) + ")"
		case strings.HasPrefix(name, "database/sql."):
			name = "a pool of connections (sql.Open)"
		case strings.HasPrefix(name, "crypto/tls.(*Conn).clientHandshake"):
			name = "a TLS session (" + short(name) + ")"
		default:
			name = "what " + short(name) + " returns"
		}
		costs[name] += s.cost
	}
	return heaviest(costs)
}

var keyPerCall = &Rule{
	Name: "key-per-call", Title: "a key derived for each call",
	Looks: "time and bytes under the functions of crypto that derive keys (hkdf, pbkdf2, scrypt, argon2), where the " +
		"secret does not come with the request",
	Change: "The same secret and salt give the same key: derive it where the secret is loaded, and keep it. Where the " +
		"salt varies, keep the key of each in a map with a bound.",
	Before: "key, err := hkdf.Key(sha256.New, s.secret, s.salt, \"links\", 32) // in each request",
	After:  "s.key, err = hkdf.Key(sha256.New, s.secret, s.salt, \"links\", 32) // where s is made",
	Find: func(v *View, r *Rule) []*found {
		secret := func(s *stack, own int) bool { return v.comesWithRequest(s, own, secretOf) }
		return v.spendsOn(r, unless(secret, calls(oneOf("crypto/hkdf.*", "crypto/pbkdf2.*",
			"golang.org/x/crypto/hkdf.*", "golang.org/x/crypto/pbkdf2.*", "golang.org/x/crypto/scrypt.*",
			"golang.org/x/crypto/argon2.*"))), func(u *use) string {
			return fmt.Sprintf("%s derives a key for each call%s", short(u.via), u.perRequest("allocations"))
		})
	},
}

// secretOf is the number of the argument with the secret, in a call that derives a key.
func secretOf(f *sourceFile, c *ast.CallExpr) int {
	switch f.packageOf(c) {
	case "crypto/hkdf", "crypto/pbkdf2", "golang.org/x/crypto/hkdf":
		return 1 // after the hash
	}
	return 0
}
