package requests

import (
	"maps"
	"slices"
	"strings"
)

// curlOption is what hone does with an option of curl: it takes it, refuses it with a
// hint, leaves it out with a note of its own, or (no field set) leaves it out with the
// others that change nothing of a request.
type curlOption struct {
	value   bool // it has a value
	take    func(c *curl, value string) error
	refused string // hint
	note    string
}

// curlLetters are the options of one letter, by their long names.
var curlLetters = map[byte]string{
	'X': "request", 'H': "header", 'd': "data", 'G': "get", 'I': "head", 'F': "form", 'T': "upload-file", 'u': "user",
	'k': "insecure", 'b': "cookie", 'A': "user-agent", 'e': "referer", 'r': "range", 'g': "globoff", 'L': "location",
	's': "silent", 'S': "show-error", 'v': "verbose", 'i': "include", 'f': "fail", 'w': "write-out", 'o': "output", 'O': "remote-name",
	'J': "remote-header-name", 'D': "dump-header", 'c': "cookie-jar", 'N': "no-buffer", '#': "progress-bar", 'm': "max-time",
	'x': "proxy", 'K': "config", 'E': "cert", 'n': "netrc", 'p': "proxytunnel", 'U': "proxy-user", 'Z': "parallel", ':': "next",
	'4': "ipv4", '6': "ipv6", '0': "http1.0", '1': "tlsv1", 'q': "disable", 'R': "remote-time", 'C': "continue-at", 'z': "time-cond",
	'j': "junk-session-cookies", 'a': "append", 'y': "speed-time", 'Y': "speed-limit",
}

const (
	hintTLS    = "hone's own flags say how TLS is spoken: see --insecure, --set tls.ca and --set tls.server-name"
	hintCert   = "name the client's certificate by --set tls.cert=FILE, its private key by --set tls.key=FILE"
	hintProxy  = "hone loads a server directly: leave it out, or name the proxy itself as the target"
	hintAuth   = "log in once and give what the server then takes: -H 'Authorization: ...'"
	hintAnswer = "hone reads no cookies of files: give them as -b 'name=value'"
	noteTime   = "not taken; its option timeout says how long an answer may take"
	noteRetry  = "not taken; an answer that fails counts as failed"
)

// curlOptions are the options by their long names; it never changes.
var curlOptions = map[string]*curlOption{
	"request":               {value: true, take: func(c *curl, v string) error { c.method = v; return nil }},
	"header":                {value: true, take: (*curl).header},
	"data":                  {value: true, take: func(c *curl, v string) error { return c.addData(v, true, true) }},
	"data-ascii":            {value: true, take: func(c *curl, v string) error { return c.addData(v, true, true) }},
	"data-binary":           {value: true, take: func(c *curl, v string) error { return c.addData(v, true, false) }},
	"data-raw":              {value: true, take: func(c *curl, v string) error { return c.addData(v, false, false) }},
	"data-urlencode":        {value: true, take: (*curl).addEncoded},
	"json":                  {value: true, take: (*curl).addJSON},
	"url-query":             {value: true, take: (*curl).addQuery},
	"get":                   {take: func(c *curl, _ string) error { c.get = true; return nil }},
	"head":                  {take: func(c *curl, _ string) error { c.head = true; return nil }},
	"form":                  {value: true, take: func(c *curl, v string) error { return c.addForm(v, false) }},
	"form-escape":           {take: func(c *curl, _ string) error { c.escaped = true; return nil }},
	"form-string":           {value: true, take: func(c *curl, v string) error { return c.addForm(v, true) }},
	"upload-file":           {value: true, take: (*curl).upload},
	"user":                  {value: true, take: func(c *curl, v string) error { c.user, c.hasUser = v, true; return nil }},
	"oauth2-bearer":         {value: true, take: func(c *curl, v string) error { return c.header("Authorization: Bearer " + v) }},
	"insecure":              {take: func(c *curl, _ string) error { c.out.Insecure = true; return nil }},
	"cacert":                {value: true, take: func(c *curl, v string) error { c.out.CA = v; return nil }},
	"cookie":                {value: true, take: (*curl).cookie},
	"user-agent":            {value: true, take: func(c *curl, v string) error { return c.named("User-Agent", v) }},
	"referer":               {value: true, take: func(c *curl, v string) error { return c.named("Referer", strings.TrimSuffix(v, ";auto")) }},
	"range":                 {value: true, take: func(c *curl, v string) error { return c.header("Range: bytes=" + v) }},
	"globoff":               {take: func(c *curl, _ string) error { c.glob = true; return nil }},
	"compressed":            {take: func(c *curl, _ string) error { c.coded = true; return nil }},
	"http1.1":               {take: func(c *curl, _ string) error { c.out.HTTP2, c.upgrade = false, false; return nil }}, // the last of these counts
	"http2-prior-knowledge": {take: func(c *curl, _ string) error { c.out.HTTP2, c.upgrade = true, false; return nil }},
	"http2":                 {take: func(c *curl, _ string) error { c.out.HTTP2, c.upgrade = true, true; return nil }},
	"unix-socket":           {value: true, take: func(c *curl, v string) error { c.out.Socket = v; return nil }},
	"abstract-unix-socket": {value: true, take: func(c *curl, v string) error {
		c.out.Socket = "@" + v
		return nil
	}},
	"url": {value: true, take: (*curl).setURL},

	"location":           {note: "not taken: a redirect is an answer, counted and not followed"},
	"location-trusted":   {note: "not taken: a redirect is an answer, counted and not followed"},
	"max-time":           {value: true, note: noteTime},
	"connect-timeout":    {value: true, note: noteTime},
	"speed-time":         {value: true, note: noteTime},
	"speed-limit":        {value: true, note: noteTime},
	"expect100-timeout":  {value: true, note: noteTime},
	"limit-rate":         {value: true, note: "not taken; answers are read as fast as they come"},
	"rate":               {value: true, note: "not taken; --rate of hone says how often the request is sent"},
	"retry":              {value: true, note: noteRetry},
	"retry-delay":        {value: true, note: noteRetry},
	"retry-max-time":     {value: true, note: noteRetry},
	"retry-connrefused":  {note: noteRetry},
	"retry-all-errors":   {note: noteRetry},
	"fail":               {note: "not taken; a status of 400 or more is a wrong answer in any case, see expect-status"},
	"fail-with-body":     {note: "not taken; a status of 400 or more is a wrong answer in any case, see expect-status"},
	"keepalive-time":     {value: true, note: "not taken; connections are under load all the time"},
	"max-filesize":       {value: true, note: "not taken; see expect-length"},
	"http1.0":            {refused: "hone speaks HTTP/1.1 and HTTP/2: leave it out; -H 'Connection: close' ends connections after each answer"},
	"http0.9":            {note: "not taken: an answer without a status is malformed"},
	"http3":              {refused: "leave it out; with --set http3, hone speaks HTTP/3"},
	"http3-only":         {refused: "leave it out; with --set http3, hone speaks HTTP/3"},
	"proxy":              {value: true, refused: hintProxy},
	"socks5":             {value: true, refused: hintProxy},
	"socks5-hostname":    {value: true, refused: hintProxy},
	"socks4":             {value: true, refused: hintProxy},
	"preproxy":           {value: true, refused: hintProxy},
	"proxytunnel":        {refused: hintProxy},
	"proxy-user":         {value: true, refused: hintProxy},
	"proxy-header":       {value: true, refused: hintProxy},
	"noproxy":            {value: true},
	"haproxy-protocol":   {refused: hintProxy},
	"resolve":            {value: true, refused: "name the address itself in the URL, and the name by -H 'Host: NAME' (and --server-name)"},
	"connect-to":         {value: true, refused: "name the address itself in the URL, and the name by -H 'Host: NAME' (and --server-name)"},
	"interface":          {value: true, refused: "leave it out; hone load has --source for local addresses"},
	"config":             {value: true, refused: "write its options into the command"},
	"cert":               {value: true, refused: hintCert},
	"key":                {value: true, refused: hintCert},
	"cert-type":          {value: true, refused: hintTLS},
	"pass":               {value: true, refused: hintTLS},
	"capath":             {value: true, refused: hintTLS},
	"pinnedpubkey":       {value: true, refused: hintTLS},
	"ciphers":            {value: true, refused: hintTLS},
	"tls13-ciphers":      {value: true, refused: hintTLS},
	"tls-max":            {value: true, refused: hintTLS},
	"tlsv1":              {note: "not taken; TLS 1.2 or 1.3 is spoken"},
	"tlsv1.0":            {refused: hintTLS},
	"tlsv1.1":            {refused: hintTLS},
	"tlsv1.2":            {note: "not taken; TLS 1.2 or 1.3 is spoken"},
	"tlsv1.3":            {note: "not taken; TLS 1.2 or 1.3 is spoken"},
	"netrc":              {refused: "give the user and password: -u USER:PASSWORD"},
	"netrc-file":         {value: true, refused: "give the user and password: -u USER:PASSWORD"},
	"digest":             {refused: hintAuth},
	"ntlm":               {refused: hintAuth},
	"negotiate":          {refused: hintAuth},
	"anyauth":            {refused: hintAuth},
	"aws-sigv4":          {value: true, refused: hintAuth},
	"next":               {refused: "give one request; several are TARGET arguments of hone load, a HAR file, or steps"},
	"parallel":           {refused: "give one request; -c of hone says how many connections there are"},
	"continue-at":        {value: true, refused: "write -r FROM- for a range"},
	"time-cond":          {value: true, refused: "write the header: -H 'If-Modified-Since: ...'"},
	"request-target":     {value: true, refused: "put it into the URL"},
	"etag-compare":       {value: true, refused: "write the header: -H 'If-None-Match: ...'"},
	"compressed-ssh":     {},
	"path-as-is":         {},
	"basic":              {},
	"ipv4":               {},
	"ipv6":               {},
	"tcp-nodelay":        {},
	"tcp-fastopen":       {},
	"disable":            {},
	"silent":             {},
	"show-error":         {},
	"verbose":            {},
	"include":            {},
	"show-headers":       {},
	"no-buffer":          {},
	"progress-bar":       {},
	"no-progress-meter":  {},
	"remote-name":        {},
	"remote-header-name": {},
	"remote-time":        {},
	"create-dirs":        {},
	"raw":                {},
	"styled-output":      {},
	"ssl-reqd":           {},
	"junk-session-cookies": {
		note: "not taken; there is no session",
	},
	"append":                    {},
	"post301":                   {},
	"post302":                   {},
	"post303":                   {},
	"write-out":                 {value: true},
	"output":                    {value: true},
	"output-dir":                {value: true},
	"dump-header":               {value: true},
	"cookie-jar":                {value: true, note: "not taken: cookies of answers are not kept; see steps in hone.yaml"},
	"stderr":                    {value: true},
	"trace":                     {value: true},
	"trace-ascii":               {value: true},
	"trace-time":                {},
	"etag-save":                 {value: true},
	"max-redirs":                {value: true},
	"parallel-max":              {value: true},
	"proto":                     {value: true},
	"proto-redir":               {value: true},
	"proto-default":             {value: true},
	"dns-servers":               {value: true},
	"doh-url":                   {value: true},
	"happy-eyeballs-timeout-ms": {value: true},
}

func curlNames() []string { return slices.Sorted(maps.Keys(curlOptions)) }
