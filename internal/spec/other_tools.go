package spec

// ofOthers has the flags of other tools that hone has under another name: of ab, wrk, hey, oha, k6, vegeta, ghz, curl,
// hyperfine and benchstat.
var ofOthers = map[string]string{
	"concurrency": "connections", "vus": "connections", "conns": "connections", "clients": "connections",
	"qps": "rate", "rps": "rate", "arrival-rate": "rate",
	"time": "duration", "length": "duration",
	"num": "requests", "number": "requests", "iterations": "requests", "total": "requests",
	"data": "body", "data-binary": "body", "data-raw": "body", "body-file": "body",
	"headers": "header", "request": "method",
	"cacert": "tls.ca", "cert": "tls.cert", "client-cert": "tls.cert", "key": "tls.key", "client-key": "tls.key",
	"pipeline": "depth", "threads": "workers", "cpus": "workers",
	"runs": "count", "min-runs": "count", "samples": "count",
	"out": "output", "export-json": "json", "export-csv": "csv", "export-markdown": "markdown",
	"threshold": "fail-if", "thresholds": "fail-if", "debug": "verbose",
}
