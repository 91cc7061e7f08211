package advice

import (
	"fmt"
	"path"
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/prof"
)

// Things that are made for each call and could be made once. Their cost is that of the constructor, and of the
// collector's work for what it allocates.

var compressorPerCall = &Rule{
	Name: "compressor-per-call", Title: "a compressor for each call",
	Looks: "time and bytes under the constructors of packages that compress (flate, gzip, zlib, zstd, brotli and the " +
		"like), also where they run at the first write",
	Remedy: Remedy{
		Change: "A compressor allocates tables and windows of 10 kB to 1 MB before it sees the first byte. Keep it and " +
			"call Reset with the next destination: one for each worker, or a sync.Pool of them. Data that is the same for " +
			"many receivers needs to be compressed only once.",
		Before: "zw := gzip.NewWriter(dst)\nzw.Write(data)\nzw.Close()",
		After: "zw := writers.Get().(*gzip.Writer) // var writers = sync.Pool{New: func() any { return " +
			"gzip.NewWriter(nil) }}\nzw.Reset(dst)\nzw.Write(data)\nzw.Close()\nwriters.Put(zw)",
	},
	Mechanical: true,
	Find: func(v *search, r *Rule) []*found {
		all := v.spendsOn(r, func(s *facts.Stack) int {
			if s.Find(resets) >= 0 {
				return -1 // it is used again
			}
			return calls(makesCompressor)(s)
		}, func(u *facts.Account) string {
			return fmt.Sprintf("%s makes a new compressor for each call%s", v.compressorOf(u),
				perRequest(u, "allocations"))
		})
		for _, f := range all {
			v.atConstructor(f)
		}
		return all
	},
}

// atConstructor moves a finding from the line of the first write, at which a compressor allocates, to the line that
// makes it, where the user's source names one constructor of such a package only.
func (v *search) atConstructor(f *found) {
	if v.File(f.Place.File).CallsPrefix(int(f.Place.Line), "New") {
		return
	}
	var made []code.Place
	for _, r := range v.References() {
		if compresses(r.Pkg) && strings.HasPrefix(r.Name, "New") && !strings.HasPrefix(r.Name, "NewReader") {
			made = append(made, r.Place)
		}
	}
	if len(made) == 1 && made[0].Line != f.Place.Line {
		f.Evidence = append(f.Evidence, Evidence{Source: "source",
			Text: "made here, and its tables are allocated at the first write: " + f.Place.String()})
		f.Place = made[0]
	}
}

// resets takes the methods that make a library's value ready to be used again.
func resets(f *facts.Frame) bool {
	return f.Origin != prof.Own && f.Origin != prof.Runtime &&
		(strings.HasSuffix(f.Name, ").Reset") || strings.HasSuffix(f.Name, ").reset"))
}

// makesCompressor takes constructors of packages that compress, and what a writer of theirs makes when it is used
// first.
func makesCompressor(f *facts.Frame) bool {
	if f.Origin != prof.Standard && f.Origin != prof.Dependency {
		return false
	}
	if !compresses(f.Pkg) {
		return false
	}
	name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
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
func (v *search) compressorOf(u *facts.Account) string {
	costs := map[string]float64{}
	for _, i := range u.Stacks {
		s := &v.Stacks[i]
		own := s.Own(calls(makesCompressor)(s))
		if at := s.Outermost(func(f *facts.Frame) bool { return compresses(f.Pkg) }, own); at >= 0 {
			costs[s.Frames[at].Pkg] += s.Cost
		}
	}
	return facts.Heaviest(costs)
}

var compilePerCall = &Rule{
	Name: "compile-per-call", Title: "a regular expression or template compiled for each call",
	Looks: "time and bytes under the compilers of regexp, text/template and html/template",
	Remedy: Remedy{
		Change: "Compile it once, in a package variable or when the server starts, and use the compiled value from all " +
			"goroutines: it is safe for concurrent use.",
		Before: "ok := regexp.MustCompile(`^[a-z]+$`).MatchString(s)",
		After:  "var word = regexp.MustCompile(`^[a-z]+$`)\n\nok := word.MatchString(s)",
	},
	Mechanical: true,
	Find: func(v *search, r *Rule) []*found {
		fromRequest := func(s *facts.Stack, own int) bool {
			return v.FromRequest(s, own) && !v.compilesQuoted(s.Frames[own].Place())
		}
		all := remedied(v.spendsOn(r, unless(fromRequest,
			askedFor(calls(oneOf("regexp.Compile*", "regexp.MustCompile*", "regexp.compile", "regexp.MatchString",
				"regexp.Match", "regexp.MatchReader",
				"text/template.(*Template).Parse*", "html/template.(*Template).Parse*", "html/template.ParseF*",
				"text/template.ParseF*", "text/template.New", "html/template.New",
				"html/template.(*Template).Clone", "strings.NewReplacer", "strings.(*Replacer).build*")))),
			func(u *facts.Account) string {
				text := "%s runs for each call%s"
				if v.compilesQuoted(u.Place) {
					text = "%s runs for each text that is searched for%s"
				}
				return fmt.Sprintf(text, u.Called(), perRequest(u, "allocations"))
			}), templateRemedies)
		for _, f := range all {
			if v.compilesQuoted(f.Place) {
				f.Remedy = quotedRemedy
			}
		}
		return v.withDue(all, calls(oneOf("html/template.(*Template).escape", "html/template.escapeTemplate",
			"html/template.(*Template).lookupAndEscapeTemplate")))
	},
}

// compilesQuoted says whether a line compiles a text that regexp.QuoteMeta has quoted.
func (v *search) compilesQuoted(at code.Place) bool {
	return v.File(at.File).CompilesQuoted(int(at.Line))
}

// quotedRemedy is for a pattern that is a text.
var quotedRemedy = Remedy{
	Change: "A text that is quoted needs no regular expression: strings.Contains, or strings.EqualFold and a look at " +
		"the runes around the place, finds it without a compiler. Where the pattern has more than the text, keep the compiled " +
		"patterns of the texts that come often, with a bound.",
	Before: "re := regexp.MustCompile(`(?i)` + regexp.QuoteMeta(q)) // in each request\nok := re.MatchString(name)",
	After:  "ok := strings.Contains(strings.ToLower(name), strings.ToLower(q))",
}

var statementPerCall = &Rule{
	Name: "statement-per-call", Title: "SQL statements prepared for each call",
	Looks: "time and bytes under Prepare of a database/sql.DB, Tx or Conn, and where a driver prepares a statement " +
		"under their Query and Exec",
	Remedy: Remedy{
		Change: "The driver parses and plans the text of the query each time. Prepare it once and call the sql.Stmt, which " +
			"is safe for concurrent use; in a transaction tx.StmtContext takes it. Some drivers have a cache of statements " +
			"that only has to be switched on.",
		Before: "rows, err := db.QueryContext(ctx, \"SELECT name FROM users WHERE id = ?\", id)",
		After: "byID, err := db.Prepare(\"SELECT name FROM users WHERE id = ?\") // once\n" +
			"rows, err := byID.QueryContext(ctx, id)",
	},
	Find: func(v *search, r *Rule) []*found {
		return v.spendsOn(r, func(s *facts.Stack) int {
			if at := s.Find(oneOf(
				"database/sql.(*DB).Prepare", "database/sql.(*DB).PrepareContext", "database/sql.(*Tx).Prepare",
				"database/sql.(*Tx).PrepareContext", "database/sql.(*Conn).PrepareContext")); at >= 0 {
				return at
			}
			at := s.Find(func(f *facts.Frame) bool {
				return f.Origin != prof.Standard && f.Origin != prof.Runtime &&
					strings.Contains(strings.ToLower(f.Name), "prepare")
			})
			if at < 0 || s.Find(oneOf("database/sql.(*DB).query*", "database/sql.(*DB).exec*",
				"database/sql.ctxDriverQuery", "database/sql.ctxDriverExec")) < at {
				return -1
			}
			return at
		}, func(u *facts.Account) string {
			return fmt.Sprintf("%s prepares a statement for each call%s", facts.Short(u.What), perRequest(u, "allocations"))
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
	Remedy: Remedy{
		Change: "Load a time zone once: LoadLocation reads and parses a file each time. A time stamp that is the same for " +
			"a second can be formatted once in a second; AppendFormat into a buffer that is used again allocates nothing.",
		Before: "loc, _ := time.LoadLocation(\"Europe/Berlin\")\ns := t.In(loc).Format(layout)",
		After: "var berlin = sync.OnceValue(func() *time.Location { ... })\n\n" +
			"buf = t.In(berlin()).AppendFormat(buf[:0], layout)",
	},
	Mechanical: true,
	Find: func(v *search, r *Rule) []*found {
		return v.spendsOn(r, askedFor(calls(oneOf("time.LoadLocation*", "time.Time.Format", "time.Time.AppendFormat",
			"time.Time.String", "time.Parse", "time.ParseInLocation", "time.parse"))), func(u *facts.Account) string {
			if v.compares(u) {
				return u.Called() + " runs for each comparison of a sort"
			}
			if v.through(u, "time.Parse", "time.ParseInLocation", "time.parse") &&
				!v.File(u.Place.File).ParsesAgain(int(u.Place.Line), "Parse", "ParseInLocation") {
				return "" // texts that a request brought
			}
			return fmt.Sprintf("%s runs for each call%s", u.Called(), perRequest(u, "allocations"))
		})
	},
}

var clientPerCall = &Rule{
	Name: "client-per-call", Title: "a connection, client or key set up for each call",
	Looks: "time and bytes under dialling, handshakes of TLS as a client, and the parsing and making of certificates, " +
		"keys and ciphers",
	Remedy: sharedClient,
	Find: func(v *search, r *Rule) []*found {
		all := v.spendsOn(r, calls(setsUp), func(u *facts.Account) string {
			return fmt.Sprintf("%s is set up for each call", setUpName(v, u))
		})
		for _, f := range all {
			v.atOpening(f)
			// The kernel, goroutines of its own, and the other side work for a connection, too.
			f.elsewhere = strings.HasPrefix(f.Title, "a connection (") || strings.HasPrefix(f.Title, "a TLS session (")
			if strings.Contains(f.Title, "a connection (") && v.SetsField("DisableKeepAlives") {
				f.Title += ": the source sets DisableKeepAlives"
				f.Remedy = keepAlive
			}
		}
		return all
	},
}

// sharedClient is for clients of HTTP.
var sharedClient = Remedy{
	Change: "Make the http.Client, tls.Config, certificate pool, key or cipher once and share it: they are safe for " +
		"concurrent use. Read response bodies to their end and close them, and set MaxIdleConnsPerHost to the number of " +
		"requests at the same time, or the transport closes connections that it could use again.",
	Before: "client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}}\nresp, err := client.Get(url)",
	After: "var client = &http.Client{Transport: transport}\n\nresp, err := client.Get(url)\n" +
		"io.Copy(io.Discard, resp.Body)\nresp.Body.Close()",
}

// keepAlive is for a transport that closes each connection by intent.
var keepAlive = Remedy{
	Change: "Leave DisableKeepAlives out: the transport then uses a connection again. Read bodies to their end and close " +
		"them, and set MaxIdleConnsPerHost to the number of requests at the same time.",
	Before: "&http.Transport{DisableKeepAlives: true}",
	After:  "&http.Transport{MaxIdleConnsPerHost: 64}",
}

// atOpening moves a finding of a pool of connections from the line of the first query, at which it connects, to the
// line that opens the pool, where the user's source has one such line only.
func (v *search) atOpening(f *found) {
	if !strings.Contains(f.Title, "sql.Open") || v.File(f.Place.File).CallsPrefix(int(f.Place.Line), "Open") {
		return
	}
	var opened []code.Place
	for _, r := range v.References() {
		if r.Pkg == "database/sql" && strings.HasPrefix(r.Name, "Open") {
			opened = append(opened, r.Place)
		}
	}
	if len(opened) == 1 {
		f.Evidence = append(f.Evidence, Evidence{Source: "source",
			Text: "opened here, and it connects at the first query: " + f.Place.String()})
		f.Place = opened[0]
	}
}

func setsUp(f *facts.Frame) bool {
	return f.Origin != prof.Own && f.Is(
		"net.(*Dialer).Dial*", "net.Dial*", "net/http.(*Transport).dialConn*", "net/http.(*Transport).Clone",
		"net/http.(*persistConn).close*",
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
func setUpName(v *search, u *facts.Account) string {
	costs := map[string]float64{}
	for _, i := range u.Stacks {
		s := &v.Stacks[i]
		at := calls(setsUp)(s)
		if at < 0 {
			continue
		}
		name := s.Frames[at].Function
		switch {
		case strings.HasPrefix(name, "net/http.(*Transport).dialConn"), strings.HasPrefix(name, "net.(*Dialer)"),
			strings.HasPrefix(name, "net.Dial"):
			name = "a connection (" + facts.Short(name) + ")"
		case strings.HasPrefix(name, "database/sql."):
			name = "a pool of connections (sql.Open)"
		case strings.HasPrefix(name, "crypto/tls.(*Conn).clientHandshake"):
			name = "a TLS session (" + facts.Short(name) + ")"
		default:
			name = "what " + facts.Short(name) + " returns"
		}
		costs[name] += s.Cost
	}
	return facts.Heaviest(costs)
}

var keyPerCall = &Rule{
	Name: "key-per-call", Title: "a key derived for each call",
	Looks: "time and bytes under the functions of crypto that derive keys (hkdf, pbkdf2, scrypt, argon2), where the " +
		"secret does not come with the request",
	Remedy: Remedy{
		Change: "The same secret and salt give the same key: derive it where the secret is loaded, and keep it. Where the " +
			"salt varies, keep the key of each in a map with a bound.",
		Before: "key, err := hkdf.Key(sha256.New, s.secret, s.salt, \"links\", 32) // in each request",
		After:  "s.key, err = hkdf.Key(sha256.New, s.secret, s.salt, \"links\", 32) // where s is made",
	},
	Find: func(v *search, r *Rule) []*found {
		secret := func(s *facts.Stack, own int) bool { return v.ComesWithRequest(s, own, (*code.File).SecretIn) }
		return v.spendsOn(r, unless(secret, calls(oneOf("crypto/hkdf.*", "crypto/pbkdf2.*",
			"golang.org/x/crypto/hkdf.*", "golang.org/x/crypto/pbkdf2.*", "golang.org/x/crypto/scrypt.*",
			"golang.org/x/crypto/argon2.*"))), func(u *facts.Account) string {
			return fmt.Sprintf("%s derives a key for each call%s", facts.Short(u.Via), perRequest(u, "allocations"))
		})
	},
}
