package corpus

import "slices"

// Subject is what commits of a repository are measured by.
type Subject struct {
	Repo string
	// Dir is the directory of the package, Package its name.
	Dir, Package string
	// Benchmark is one of 20 ns to 1 ms per operation.
	Benchmark string
	// Hot is the function that slow-downs are planted in, FILE:NAME or FILE:TYPE.NAME with the file from the root of the repository. It
	// runs once in an operation of a microsecond or more: of less, what a call costs would be a part of 3 %. "" for no such function.
	Hot string
	// Args are the arguments of a service, Path what is asked of it.
	Args []string
	Path string
}

// At is the subject at a commit.
func (s Subject) At(commit string) Commit {
	return Commit{Repo: s.Repo, Commit: commit, Dir: s.Dir, Benchmark: s.Benchmark}
}

// SubjectOf is that of a repository; nil if there is none.
func SubjectOf(repo string) *Subject {
	for _, all := range [][]Subject{Libraries, Services, MoreServices} {
		if i := slices.IndexFunc(all, func(s Subject) bool { return s.Repo == repo }); i >= 0 {
			return &all[i]
		}
	}
	return nil
}

// Libraries are those with a benchmark.
var Libraries = []Subject{
	{Repo: "BurntSushi/toml", Package: "toml", Benchmark: "Example/decode", Hot: "decode.go:Decode"},
	{Repo: "Masterminds/semver", Package: "semver", Benchmark: "NewConstraintRange", Hot: "constraints.go:NewConstraint"},
	{Repo: "bits-and-blooms/bitset", Package: "bitset", Benchmark: "Count"},
	{Repo: "buger/jsonparser", Package: "jsonparser", Benchmark: "Set", Hot: "parser.go:Set"},
	{Repo: "cespare/xxhash", Package: "xxhash", Benchmark: "Sum64/4KB"},
	{Repo: "emirpasic/gods", Dir: "trees/redblacktree", Package: "redblacktree", Benchmark: "RedBlackTreeGet100"},
	{Repo: "expr-lang/expr", Package: "expr", Benchmark: "_sort"},
	{Repo: "flosch/pongo2", Package: "pongo2", Benchmark: "ExecuteBlocks"},
	{Repo: "fxamacker/cbor", Package: "cbor", Benchmark: "UnmarshalCWTClaims"},
	{Repo: "gin-gonic/gin", Package: "gin", Benchmark: "5Params"},
	{Repo: "go-chi/chi", Package: "chi", Benchmark: "TreeGet"},
	{Repo: "google/uuid", Package: "uuid", Benchmark: "Parse"},
	{Repo: "gorilla/mux", Package: "mux", Benchmark: "Mux", Hot: "mux.go:Router.ServeHTTP"},
	{Repo: "hashicorp/golang-lru", Package: "lru", Benchmark: "LRU_Rand"},
	{Repo: "julienschmidt/httprouter", Package: "httprouter", Benchmark: "PathClean"},
	{Repo: "klauspost/compress", Dir: "flate", Package: "flate", Benchmark: "DecodeDigitsSpeed1e4"},
	{Repo: "labstack/echo", Package: "echo", Benchmark: "EchoParseAPI"},
	{Repo: "montanaflynn/stats", Package: "stats", Benchmark: "MedianLargeFloatSlice", Hot: "median.go:Median"},
	{Repo: "pierrec/lz4", Package: "lz4", Benchmark: "UncompressDigits"},
	{Repo: "rs/zerolog", Package: "zerolog", Benchmark: "LogFields"},
	{Repo: "shopspring/decimal", Package: "decimal", Benchmark: "NewFromStringFloat"},
	{Repo: "sirupsen/logrus", Package: "logrus", Benchmark: "SmallTextFormatter", Hot: "text_formatter.go:TextFormatter.Format"},
	{Repo: "spf13/cast", Package: "cast", Benchmark: "ToInt"},
	{Repo: "tdewolff/parse", Package: "parse", Benchmark: "ParseMediatypeParamsParse"},
	{Repo: "tidwall/btree", Package: "btree", Benchmark: "IteratorCreationAlloc/no_reuse"},
	{Repo: "tidwall/gjson", Package: "gjson", Benchmark: "Valid", Hot: "gjson.go:Valid"},
	{Repo: "uber-go/zap", Package: "zap", Benchmark: "10Fields", Hot: "logger.go:Logger.Info"},
	{Repo: "valyala/fasthttp", Package: "fasthttp", Benchmark: "CookieParseFull"},
	{Repo: "valyala/fastjson", Package: "fastjson", Benchmark: "ArenaTypicalUse"},
	{Repo: "vmihailenco/msgpack", Package: "msgpack", Benchmark: "StructVmihailencoMsgpack", Hot: "decode.go:Unmarshal"},
}

// Services are programs that serve HTTP and need nothing else.
var Services = []Subject{
	{Repo: "allegro/bigcache", Dir: "server", Package: "main", Args: []string{"-port", "{port}", "-shards", "64", "-maxInWindow", "1000"}, Path: "/api/v1/stats", Hot: "server/stats_handler.go:getCacheStatsHandler"},
	{Repo: "hashicorp/http-echo", Package: "main", Args: []string{"-listen", "127.0.0.1:{port}", "-text", "hello"}, Path: "/", Hot: "handlers.go:metaResponseWriter.WriteHeader"},
	{Repo: "mccutchen/go-httpbin", Dir: "cmd/go-httpbin", Package: "main", Args: []string{"-host", "127.0.0.1", "-port", "{port}"}, Path: "/get", Hot: "httpbin/handlers.go:HTTPBin.Get"},
	{Repo: "prometheus/statsd_exporter", Package: "main", Args: []string{"--web.listen-address=127.0.0.1:{port}", "--statsd.listen-udp=", "--statsd.listen-tcp=", "--statsd.listen-unixgram="}, Path: "/metrics"},
	{Repo: "traefik/whoami", Package: "main", Args: []string{"-port", "{port}"}, Path: "/", Hot: "app.go:whoamiHandler"},
}

// MoreServices are loaded as Services are. No commits of them are listed in noops.txt.
var MoreServices = []Subject{
	{Repo: "jpillora/chisel", Package: "main", Args: []string{"server", "--host", "127.0.0.1", "--port", "{port}"},
		Path: "/version"},
	{Repo: "m3ng9i/ran", Package: "main", Args: []string{"-bind-ip=127.0.0.1", "-port={port}", "-root=."},
		Path: "/readme.md"},
	{Repo: "patrickdappollonio/http-server", Package: "main", Args: []string{"--port={port}"}, Path: "/"},
	{Repo: "stefanprodan/podinfo", Dir: "cmd/podinfo", Package: "main",
		Args: []string{"--host=127.0.0.1", "--port={port}"}, Path: "/healthz"},
}
