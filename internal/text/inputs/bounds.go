// Package inputs reads what comes from outside, so that no input takes all memory, or all time: one bound for each kind
// of input, in one table (All), and readers that refuse what is larger. A reader of what a stranger wrote has a Budget:
// bytes, values, depth and time, which Ctrl-C ends.
package inputs

// Unit is what a bound counts.
type Unit string

// The units of bounds.
const (
	Bytes   Unit = "bytes"
	Seconds Unit = "seconds"
	Objects Unit = "objects"
	Pages   Unit = "pages"
	Values  Unit = "values"
	Names   Unit = "names"
	Levels  Unit = "levels"
	Points  Unit = "points"
)

// Bound is the most that is read of one kind of input.
type Bound struct {
	// Input names it in messages and From where it comes from, as the table shows it.
	Input, From string
	Most        int64
	Unit        Unit
	// Next is what to do with an input that is larger.
	Next string
}

// The bounds. They are variables since Go has no constant structs; nothing changes them.
var (
	Body = Bound{"request body", "`--body @FILE`, `-d`, `-F` and `-T` of curl commands", 64 << 20, Bytes,
		"load with a smaller body: what is larger measures copies of memory"}
	Command = Bound{"curl command", "`--curl`", 16 << 20, Bytes, "put the body into a file, and give curl -d @FILE"}
	Feed    = Bound{"feed", "`--feed`", 64 << 20, Bytes, "take a sample of its rows"}
	Steps   = Bound{"file of steps", "`--sequence`", 32 << 10, Bytes,
		"a sequence has steps like those of hone.yaml, and at most 1,000"}
	HAR     = Bound{"recording", "`--har`", 1 << 30, Bytes, "export it without the contents of answers, or in parts"}
	HARText = Bound{"text in a recording", "one text in `--har`: a longer one is not kept", 16 << 20, Bytes,
		"export the recording without the contents of answers"}
	HAREntry = Bound{"entry of a recording", "one entry of `--har`, its texts cut", 64 << 20, Bytes,
		"export the recording without the contents of answers"}
	AccessLog = Bound{"access log", "`--access-log`, unpacked", 4 << 30, Bytes,
		"load with a part of it: head -n 1000000 LOG > PART"}
	OpenAPI = Bound{"description", "`--openapi`", 32 << 20, Bytes, "take the part of it that is to be loaded"}
	// OpenAPIValues: a value costs 500 to 1,500 bytes of memory when it is read; the largest published descriptions
	// have under a million.
	OpenAPIValues = Bound{"description", "`--openapi`, its keys and values", 1_500_000, Values,
		"take the part of it that is to be loaded"}
	Manifest     = Bound{"manifest", "`--like`", 4 << 20, Bytes, "keep the workload in a file of its own"}
	Replay       = Bound{"recorded schedule", "`--replay`", 1 << 30, Bytes, "replay a part of it"}
	Certificates = Bound{"file of certificates", "`--set tls.ca`, `tls.cert`, `tls.key`", 16 << 20, Bytes,
		"name a file of certificates in PEM"}
	Secret = Bound{"secret", "keys and tokens of agents", 4 << 10, Bytes,
		"name a file with a secret of one line"}

	Protos = Bound{"set of .proto files", "`--set grpc.proto`, with all that they import", 16 << 20, Bytes,
		"give fewer files"}
	Descriptors = Bound{"set of descriptors", "`--set grpc.protoset`, gRPC reflection", 64 << 20, Bytes,
		"give the service's own files: --set grpc.proto=FILE"}
	// Declarations: a message, a field or a method costs about 1 kB in memory when descriptors are read.
	Declarations = Bound{"set of descriptors",
		"`--set grpc.proto`, `--set grpc.protoset`, gRPC reflection: messages, fields, methods", 500_000, Names,
		"give the service's own files: --set grpc.proto=FILE"}
	ReflectedAnswer = Bound{"answer of the server's reflection", "gRPC reflection, one answer", 8 << 20, Bytes,
		"give the service's own files: --set grpc.proto=FILE"}
	ReflectedNames = Bound{"list of the server's services", "gRPC reflection, services and files", 4096, Names,
		"give the service's own files: --set grpc.proto=FILE"}
	ReflectedTime = Bound{"server's reflection", "gRPC reflection, all answers", 20, Seconds,
		"give the service's own files: --set grpc.proto=FILE"}

	Recording = Bound{"recording of a load test", "`hone load report`, `merge`, `plot`", 8 << 30, Bytes,
		"record with longer slices: hone load --set interval=10s"}
	RecordingLine = Bound{"line of a recording", "recordings of load tests, also of agents", 64 << 20, Bytes,
		"use one version of hone on all machines"}
	AgentStream = Bound{"recording of an agent", "an agent under way", 8 << 30, Bytes,
		"load for a shorter time, or in longer slices"}
	AgentMessage = Bound{"load for agents", "`--agents`: lists of requests and rows", 512 << 20, Bytes,
		"load with a part of the list"}

	Patch = Bound{"patch", "a patch instead of a variant, `hone bench --patch`", 16 << 20, Bytes,
		"name a commit that has the change instead of a patch"}

	Results = Bound{"file of results", "`hone bench compare`, `join`", 256 << 20, Bytes,
		"compare fewer benchmarks or fewer rounds at once"}
	// Receipt: a receipt of 1,000 benchmarks with 3 measures each has 3 MB.
	Receipt       = Bound{"receipt", "`hone verify`", 8 << 20, Bytes, "verify a receipt of fewer benchmarks"}
	ReceiptValues = Bound{"receipt", "`hone verify`: all that stands in it", 400_000, Values,
		"verify a receipt of fewer benchmarks"}
	SearchLog = Bound{"log of a search", "`hone bisect --replay`, `--resume`", 16 << 20, Bytes,
		"begin the search anew, without --replay"}
	SearchEntries = Bound{"log of a search", "`hone bisect --replay`, `--resume`: commits", 100_000, Values,
		"begin the search anew, without --replay"}
	Imported = Bound{"imported file", "`hone track --import`", 256 << 20, Bytes,
		"import fewer files, or fewer commits, at once"}
	// ImportedValues: a value costs about 200 bytes of memory. Ten years of a commit a day and 500 benchmarks are as many.
	ImportedValues = Bound{"imported file", "`hone track --import`: values", 2_000_000, Values,
		"import fewer files, or fewer commits, at once"}
	CodeOwners   = Bound{"file of owners", "CODEOWNERS", 3 << 20, Bytes, "name directories in it; GitHub reads no larger one"}
	OwnerRules   = Bound{"file of owners", "CODEOWNERS: its rules", 20_000, Values, "name directories in it, and not files"}
	Instructions = Bound{"count of instructions", "callgrind's file", 1 << 30, Bytes,
		"count one benchmark: hone bench --bench '^Name$'"}
	Profile = Bound{"profile", "`hone profile`, a file as it is on disk", 256 << 20, Bytes,
		"take a profile over a shorter time"}
	HeapDump = Bound{"heap dump", "`hone profile holders`", 256 << 30, Bytes,
		"take the dump of a process with a smaller heap"}
	Executable = Bound{"program", "`hone profile holders`", 4 << 30, Bytes,
		"name the executable that wrote the dump"}
	Pulled = Bound{"answer of the store of profiles",
		"`hone pull pyroscope`, `hone pull parca`: all answers together", 512 << 20, Bytes, pullLess}
	PulledList = Bound{"list of a store of profiles",
		"`hone pull pyroscope`, `hone pull parca`: one list of series, types or labels", 16 << 20, Bytes, pullLess}
	PulledValues = Bound{"list of a store of profiles",
		"`hone pull pyroscope`, `hone pull parca`: the values of one list", 600_000, Values, pullLess}
	PulledTypes = Bound{"list of a store of profiles", "`hone pull pyroscope`, `hone pull parca`: types of profiles",
		100, Names, "pull one kind (--kind), or one type: --query 'TYPE{...}'"}
	PulledTime = Bound{"answer of the store of profiles",
		"`hone pull pyroscope`, `hone pull parca`: all answers together", 600, Seconds, pullLess}
	Archive     = Bound{"archive", "`hone import`", 5 << 30, Bytes, "export fewer runs at once: hone export RUN"}
	Collections = Bound{"log of collections", "`hone profile gc`: the output of programs", 4 << 30, Bytes,
		"name a part of it: grep 'gc [0-9]' LOG > PART"}
	Trace = Bound{"execution trace", "`hone tail FILE`, /debug/pprof/trace", 1 << 30, Bytes,
		"record a shorter trace: ?seconds=1"}

	Spans = Bound{"file of spans", "`hone tail FILE`: lines of JSON, unpacked", 4 << 30, Bytes,
		"name a part of it: head -n 10000 FILE > PART"}

	ListedObjects = Bound{"list of objects", "an S3 store: all names below a prefix", 200_000, Objects,
		"choose a prefix with fewer"}
	ListedPages = Bound{"list of objects", "an S3 store: pages, also those without a name", 2_000, Pages,
		"check the store: its list does not end"}
	StoreAnswer = Bound{"answer of the store", "an S3 store: one page of a list, one error", 16 << 20, Bytes,
		"check the address of the store"}
	Object = Bound{"object", "an S3 store", 5 << 30, Bytes, "it is not an object that hone has put there"}

	// SeriesLine: a point of 5,000 benchmarks with 3 measures each has 3 MB.
	SeriesLine = Bound{"line of a series", "a store of points: a directory, a branch", 4 << 20, Bytes,
		"track the packages in several jobs"}
	SeriesLineValues = Bound{"line of a series", "a store of points: all that stands on one line", 400_000, Values,
		"track the packages in several jobs"}
	SeriesFile = Bound{"file of a series", "a store of points: hone begins the next file at a quarter of that", 64 << 20,
		Bytes, "split the file by lines"}
	// SeriesPoints: a point a day of 50 branches and services for 5 years.
	SeriesPoints = Bound{"series", "a store of points: all of its files", 100_000, Points, seriesLess}
	// SeriesValues: a value costs about 200 bytes of memory. 2 years of 500 benchmarks have 1,100,000.
	SeriesValues = Bound{"series", "a store of points: all of its files", 3_000_000, Values, seriesLess}
	SeriesReport = Bound{"report of a series", "a store of points: a report beside it", 16 << 20, Bytes,
		"it is not a report that hone has put there"}
)

// seriesLess is the next step where a store has too many points.
const seriesLess = "move the files of old branches elsewhere"

// pullLess is the next step where a store of profiles has too much.
const pullLess = "pull a shorter time (--from, --to), one kind (--kind), or fewer series (--query)"

// All is the table: every bound, in the order of SECURITY.md.
func All() []Bound {
	return []Bound{
		Body, Command, Feed, Steps, HAR, HARText, HAREntry, AccessLog, OpenAPI, OpenAPIValues, Manifest, Replay,
		Certificates, Secret,
		Protos, Descriptors, Declarations, ReflectedAnswer, ReflectedNames, ReflectedTime,
		Recording, RecordingLine, AgentStream, AgentMessage, Patch, Results, Receipt, ReceiptValues, SearchLog, SearchEntries, Imported,
		ImportedValues, CodeOwners, OwnerRules, Instructions, Profile,
		Pulled, PulledTime, PulledList, PulledValues, PulledTypes, HeapDump, Executable, Archive, Collections, Trace,
		ListedObjects, ListedPages, StoreAnswer, Object,
		SeriesLine, SeriesLineValues, SeriesFile, SeriesPoints, SeriesValues, SeriesReport,
	}
}
