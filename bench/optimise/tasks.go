package optimise

import "github.com/gohone/hone/bench/corpus"

// tasks are merged commits that touch few files besides tests and build with today's Go. With the tests of their base
// they break none, and they make a benchmark that the base has at least 5 % faster. The last figure is the time per
// operation after the commit, divided by that before: the truth of results/commits.jsonl where that has the commit,
// else the CPU time of some processes on a busy machine. It chose the task; no score is made of it.
var tasks = []task{
	at("google/uuid", "85223faccf", "", "ParseBadLength", allocation, 0.27),
	at("sirupsen/logrus", "07c711f412", "", "Entry_WithError", allocation, 0.20),
	at("uber-go/zap", "639461d50c", "zapcore", "ZapConsole", allocation, 0.91),
	at("julienschmidt/httprouter", "8222db13db", "", "PathClean", allocation, 0.87),
	at("hashicorp/golang-lru", "04222e54ca", "", "2Q_Freq", allocation, 0.90),
	at("gin-gonic/gin", "c83a1cca0a", "", "OneRouteString", allocation, 0.69),
	at("emirpasic/gods", "454720c27e", "lists/arraylist", "ArrayListGet1000", algorithm, 0.55),
	at("prometheus/common", "36d0bf9957", "model", "LabelSetStringMethod", allocation, 0.39),
	at("agnivade/levenshtein", "4e472bb42c", "", "Simple/long_string", algorithm, 0.10),
	at("rivo/uniseg", "e258aa1886", "", "GraphemesFunctionString", algorithm, 0.44),
	at("rivo/uniseg", "b74d4dcb2a", "", "GraphemesFunctionBytes", algorithm, 0.73),
	at("rivo/uniseg", "0b9a92418f", "", "WordFunctionString", algorithm, 0.53),
	at("mattn/go-runewidth", "37796e5ed8", "", "String1Width768EastAsian/regular", algorithm, 0.36),
	at("julienschmidt/httprouter", "aff381be15", "", "Allowed/Global", algorithm, 0.03),
	at("tdewolff/parse", "d2a1afdaca", "", "Replace", algorithm, 0.85),
	at("mattn/go-runewidth", "0a43bb8174", "", "String1Width768EastAsian/lut", algorithm, 0.86),
	at("bits-and-blooms/bitset", "8b8b79b8d4", "", "Set", algorithm, 0.88),
	at("BurntSushi/toml", "41f8cc899b", "", "Decode/inline-table", parsing, 0.86),
	at("prometheus/common", "55b01d1643", "model", "ParseDuration", parsing, 0.04),
	at("prometheus/common", "98ca625caf", "model", "UnmarshalTime/1780924784", parsing, 0.42),
	at("flosch/pongo2", "5fe279b1eb", "", "CompileAndExecuteComplexWithSandboxActive", parsing, 0.84),
	at("gorilla/mux", "de7178dc9d", "", "NewRouterRegexpFunc", parsing, 0.53),
	at("fxamacker/cbor", "9ff43a1d5d", "", "Unmarshal/CBOR_map_to_Go_struct", parsing, 0.61),
	at("valyala/fasthttp", "2294bc8fd0", "", "RequestHeaderRead", parsing, 0.64),
	at("valyala/fasthttp", "9cf733f7dc", "", "CookieParseMin", parsing, 0.57),
	at("cespare/xxhash", "a7909af24e", "", "Sum64String/4B", hashing, 0.52),
	at("fxamacker/cbor", "29e05d7563", "", `Marshal/Go_\[\]int_to_CBOR_array`, encoding, 0.52),
	at("sirupsen/logrus", "76da6028fa", "", "NumericTextFormatter", encoding, 0.68),
	at("vmihailenco/msgpack", "73d76dfd31", "", "StringSlice", encoding, 0.88),
	at("sirupsen/logrus", "560daa44bf", "", "LoggerLog/enabled_logln", encoding, 0.57),
}

// others are further merged commits, chosen in the same way: honest patches (Honest), and no tasks.
var others = []task{
	at("mattn/go-runewidth", "c442cf7b4b", "", "RuneWidthAll/regular", algorithm, 0.27),
	at("sirupsen/logrus", "7f80f1924b", "", "SmallColoredTextFormatter", allocation, 0.92),
	at("bits-and-blooms/bitset", "cbd10cc2be", "", "BitsetOps/PreviousClear", algorithm, 0.03),
}

// at is a merged commit in a directory, with its benchmark.
func at(repo, hash, dir, benchmark string, k kind, took float64) task {
	return task{corpus.Commit{Repo: repo, Commit: hash, Dir: dir, Benchmark: benchmark}, k, took}
}
