package advice

// remedy is what to do about a finding where the functions of a rule need different changes.
type remedy struct {
	// of are the functions for which it is, as frame.is takes them.
	of                    []string
	change, before, after string
}

// remedied gives each finding the first remedy that is for the functions that it is about; the rule's own where none
// is.
func remedied(all []*found, remedies []remedy) []*found {
	for _, f := range all {
		for _, r := range remedies {
			if f.isAbout(r.of) {
				f.Change, f.Before, f.After = r.change, r.before, r.after
				break
			}
		}
	}
	return all
}

// isAbout says whether the function that a rule looked for, or the one that the user's line calls, is one of these.
func (f *found) isAbout(functions []string) bool {
	for _, name := range f.about {
		if one := (&frame{function: name}); name != "" && one.is(functions...) {
			return true
		}
	}
	return false
}

var loopRemedies = []remedy{
	{
		of: []string{"database/sql.*"},
		change: "Ask once for all elements: WHERE id IN (...), or a join. Where several statements have to be, ask for " +
			"several at the same time, with a limit.",
		before: "for _, id := range ids { row := db.QueryRow(\"SELECT name FROM users WHERE id = ?\", id) }",
		after:  "rows, err := db.Query(\"SELECT id, name FROM users WHERE id IN (\"+marks(len(ids))+\")\", args(ids)...)",
	},
	{
		of: []string{"os.Stat", "os.Lstat"},
		change: "os.ReadDir gives the names and kinds of all entries of a directory at once. Where sizes or times are " +
			"needed, and rarely change, keep them until the directory changes.",
		before: "for _, name := range names { info, err := os.Lstat(filepath.Join(dir, name)) }",
		after:  "entries, err := os.ReadDir(dir)\nfor _, e := range entries { use(e.Name(), e.IsDir()) }",
	},
	{
		of: []string{"os.ReadFile", "os.Open*"},
		change: "Read the files when the program starts, or at their first use, and keep what they hold until they change. " +
			"Where all of them have to be read, read several at the same time, with a limit.",
		before: "for _, name := range names { text, err := os.ReadFile(name) } // in each request",
		after:  "for _, name := range names { text := texts[name] } // var texts = readAll(names), once",
	},
	{
		of: []string{"net/http.*", "google.golang.org/grpc.*"},
		change: "Ask for all elements in one request, if the other service has one that takes many ids. Else ask for " +
			"several at the same time, with a limit.",
		before: "for _, id := range ids { answer, err := fetch(ctx, id) }",
		after: "g.SetLimit(8) // g, ctx := errgroup.WithContext(ctx)\nfor i, id := range ids {\n" +
			"\tg.Go(func() (err error) { answers[i], err = fetch(ctx, id); return err })\n}",
	},
}

// pooledReader is how a pattern gets a bufio.Reader that is used again.
const pooledReader = "in := readers.Get().(*bufio.Reader) // var readers = sync.Pool{New: newReader}\n" +
	"in.Reset(r.Body)\n"

var codecRemedies = []remedy{
	{
		of: []string{"encoding/xml.*"},
		change: "A decoder of XML makes a buffer of 4 kB unless it reads from an io.ByteReader, and an encoder always " +
			"makes one. Read from a bytes.Reader, or from a bufio.Reader that is used again.",
		before: "xml.NewDecoder(r.Body).Decode(&msg)",
		after:  pooledReader + "xml.NewDecoder(in).Decode(&msg)\nreaders.Put(in)",
	},
	{
		of: []string{"encoding/csv.*"},
		change: "Readers and writers of CSV make a buffer of 4 kB unless they get a bufio.Reader or a bufio.Writer: give " +
			"them one that is used again.",
		before: "rows, err := csv.NewReader(r.Body).ReadAll()",
		after:  pooledReader + "rows, err := csv.NewReader(in).ReadAll()\nreaders.Put(in)",
	},
}

// loggingRemedies are for lines that use typed attributes already.
var loggingRemedies = []remedy{{
	of: []string{"log/slog.(*Logger).LogAttrs", "log/slog.LogAttrs", "go.uber.org/zap.(*Logger).*",
		"github.com/rs/zerolog.*"},
	change: "The line uses typed attributes already. Log less often than once per request, or sample. Where each line " +
		"is needed, let the handler write to a buffer that is flushed each second instead of a system call per line.",
	before: "logger.LogAttrs(ctx, slog.LevelInfo, \"served\", attrs...) // each request",
	after: "if err != nil || served.Add(1)%100 == 0 { // failures, and one request in a hundred\n" +
		"\tlogger.LogAttrs(ctx, slog.LevelInfo, \"served\", attrs...)\n}",
}}

var templateRemedies = []remedy{{
	of: []string{"text/template.*", "html/template.*"},
	change: "Parse it once, in a package variable or when the server starts, and execute it from all goroutines: it is " +
		"safe for concurrent use.",
	before: "t, err := template.ParseFiles(\"page.html\") // in each request\nt.Execute(w, data)",
	after:  "var page = template.Must(template.ParseFiles(\"page.html\"))\n\npage.Execute(w, data)",
}}

var fixedRemedies = []remedy{{
	of: []string{"encoding/binary.Write", "encoding/binary.Append", "encoding/binary.Encode"},
	change: "binary.Write walks the value by reflection and allocates a buffer on each call. Append the fields to a " +
		"byte slice with binary.BigEndian.AppendUint32 and the like, and write it at once.",
	before: "binary.Write(conn, binary.BigEndian, h)",
	after: "b := binary.BigEndian.AppendUint32(buf[:0], h.size)\nb = binary.BigEndian.AppendUint32(b, h.id)\n" +
		"conn.Write(b)",
}}

var untypedRemedies = []remedy{{
	of: []string{"encoding/json.mapEncoder.encode", "encoding/json.resolveKeyName*", "encoding/json/v2.marshal*"},
	change: "Encode a struct instead of a map: the keys of a map are sorted by reflection each time, and each value in " +
		"an any is looked at.",
	before: "json.NewEncoder(w).Encode(map[string]any{\"id\": u.ID, \"name\": u.Name})",
	after: "json.NewEncoder(w).Encode(struct {\n\tID   string `json:\"id\"`\n\tName string `json:\"name\"`\n" +
		"}{u.ID, u.Name})",
}}
