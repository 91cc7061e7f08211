package advice

import (
	"github.com/gohone/hone/internal/insight/facts"
)

// remedyFor is what to do about a finding where the functions of a rule need different changes.
type remedyFor struct {
	// of are the functions for which it is, as frame.is takes them.
	of []string
	Remedy
}

// remedied gives each finding the first remedy that is for the functions that it is about; the rule's own where none
// is.
func remedied(all []*found, remedies []remedyFor) []*found {
	for _, f := range all {
		for _, r := range remedies {
			if f.isAbout(r.of) {
				f.Remedy = r.Remedy
				break
			}
		}
	}
	return all
}

// isAbout says whether the function that a rule looked for, or the one that the user's line calls, is one of these.
func (f *found) isAbout(functions []string) bool {
	for _, name := range f.about {
		if one := (&facts.Frame{Function: name}); name != "" && one.Is(functions...) {
			return true
		}
	}
	return false
}

var loopRemedies = []remedyFor{
	{
		of: []string{"database/sql.*"},
		Remedy: Remedy{
			Change: "Ask once for all elements: WHERE id IN (...), or a join. Where several statements have to be, ask for " +
				"several at the same time, with a limit.",
			Before: "for _, id := range ids { row := db.QueryRow(\"SELECT name FROM users WHERE id = ?\", id) }",
			After:  "rows, err := db.Query(\"SELECT id, name FROM users WHERE id IN (\"+marks(len(ids))+\")\", args(ids)...)",
		},
	},
	{
		of: []string{"os.Stat", "os.Lstat"},
		Remedy: Remedy{
			Change: "os.ReadDir gives the names and kinds of all entries of a directory at once. Where sizes or times are " +
				"needed, and rarely change, keep them until the directory changes.",
			Before: "for _, name := range names { info, err := os.Lstat(filepath.Join(dir, name)) }",
			After:  "entries, err := os.ReadDir(dir)\nfor _, e := range entries { use(e.Name(), e.IsDir()) }",
		},
	},
	{
		of: []string{"os.ReadFile", "os.Open*"},
		Remedy: Remedy{
			Change: "Read the files when the program starts, or at their first use, and keep what they hold until they " +
				"change. Where all of them have to be read, read several at the same time, with a limit.",
			Before: "for _, name := range names { text, err := os.ReadFile(name) } // in each request",
			After:  "for _, name := range names { text := texts[name] } // var texts = readAll(names), once",
		},
	},
	{
		of:     []string{"net/http.*", "google.golang.org/grpc.*"},
		Remedy: loopOverHTTP,
	},
}

// loopOverHTTP is for calls of another service.
var loopOverHTTP = Remedy{
	Change: "Ask for all elements in one request, if the other service has one that takes many ids. Else ask for " +
		"several at the same time, with a limit.",
	Before: "for _, id := range ids { answer, err := fetch(ctx, id) }",
	After: "g.SetLimit(8) // g, ctx := errgroup.WithContext(ctx)\nfor i, id := range ids {\n" +
		"\tg.Go(func() (err error) { answers[i], err = fetch(ctx, id); return err })\n}",
}

// pooledReader is how a pattern gets a bufio.Reader that is used again.
const pooledReader = "in := readers.Get().(*bufio.Reader) // var readers = sync.Pool{New: newReader}\n" +
	"in.Reset(r.Body)\n"

var codecRemedies = []remedyFor{
	{
		of: []string{"encoding/xml.*"},
		Remedy: Remedy{
			Change: "A decoder of XML makes a buffer of 4 kB unless it reads from an io.ByteReader, and an encoder always " +
				"makes one. Read from a bytes.Reader, or from a bufio.Reader that is used again.",
			Before: "xml.NewDecoder(r.Body).Decode(&msg)",
			After:  pooledReader + "xml.NewDecoder(in).Decode(&msg)\nreaders.Put(in)",
		},
	},
	{
		of: []string{"encoding/csv.*"},
		Remedy: Remedy{
			Change: "Readers and writers of CSV make a buffer of 4 kB unless they get a bufio.Reader or a bufio.Writer: give " +
				"them one that is used again.",
			Before: "rows, err := csv.NewReader(r.Body).ReadAll()",
			After:  pooledReader + "rows, err := csv.NewReader(in).ReadAll()\nreaders.Put(in)",
		},
	},
}

// loggingRemedies are for lines that use typed attributes already.
var loggingRemedies = []remedyFor{{
	of: []string{"log/slog.(*Logger).LogAttrs", "log/slog.LogAttrs", "go.uber.org/zap.(*Logger).*",
		"github.com/rs/zerolog.*"},
	Remedy: Remedy{
		Change: "The line uses typed attributes already. Log less often than once per request, or sample. Where each line " +
			"is needed, let the handler write to a buffer that is flushed each second instead of a system call per line.",
		Before: "logger.LogAttrs(ctx, slog.LevelInfo, \"served\", attrs...) // each request",
		After: "if err != nil || served.Add(1)%100 == 0 { // failures, and one request in a hundred\n" +
			"\tlogger.LogAttrs(ctx, slog.LevelInfo, \"served\", attrs...)\n}",
	},
}}

var templateRemedies = []remedyFor{{
	of: []string{"text/template.*", "html/template.*"},
	Remedy: Remedy{
		Change: "Parse it once, in a package variable or when the server starts, and execute it from all goroutines: it is " +
			"safe for concurrent use.",
		Before: "t, err := template.ParseFiles(\"page.html\") // in each request\nt.Execute(w, data)",
		After:  "var page = template.Must(template.ParseFiles(\"page.html\"))\n\npage.Execute(w, data)",
	},
}}

var fixedRemedies = []remedyFor{{
	of: []string{"encoding/binary.Write", "encoding/binary.Append", "encoding/binary.Encode"},
	Remedy: Remedy{
		Change: "binary.Write walks the value by reflection and allocates a buffer on each call. Append the fields to a " +
			"byte slice with binary.BigEndian.AppendUint32 and the like, and write it at once.",
		Before: "binary.Write(conn, binary.BigEndian, h)",
		After: "b := binary.BigEndian.AppendUint32(buf[:0], h.size)\nb = binary.BigEndian.AppendUint32(b, h.id)\n" +
			"conn.Write(b)",
	},
}}

// responseRemedy is for the body of a response that is flushed for each element.
var responseRemedy = remedyFor{
	of: []string{"net/http.(*response).Flush*", "net/http.(*ResponseController).Flush", "net/http.(*http2responseWriter).Flush*"},
	Remedy: Remedy{
		Change: "The body is flushed after each element, so that each is a system call and a chunk of its own. Leave Flush " +
			"out where all elements are there: net/http sends what its buffer of 2 kB cannot hold. Else flush after some " +
			"hundred elements, or after some time.",
		Before: "for _, row := range rows { enc.Encode(row); rc.Flush() }",
		After:  "for _, row := range rows { enc.Encode(row) }",
	},
}

// flushRemedy is for a buffer that is there, and flushed too often.
var flushRemedy = remedyFor{
	of: []string{"bufio.(*Writer).Flush"},
	Remedy: Remedy{
		Change: "The buffer is flushed after each piece, so that each piece is a call of its own. Flush once: at the end " +
			"of an answer, or when no further request is waiting in the reader's buffer.",
		Before: "for _, row := range rows { w.Write(row); w.Flush() }",
		After:  "for _, row := range rows { w.Write(row) }\nreturn w.Flush()",
	},
}

// positionalRemedies are for calls that name a place in a file: a bufio.Reader or Writer goes from front to back.
var positionalRemedies = []remedyFor{
	{
		of: []string{"os.(*File).ReadAt", "syscall.Pread", "golang.org/x/sys/unix.Pread*"},
		Remedy: Remedy{
			Change: "Read what lies side by side in one call: a block of the file into a buffer that is used again, and take " +
				"the pieces from it. Keep blocks that are read again and again, such as an index.",
			Before: "for i := range n { f.ReadAt(row[:], at+int64(i*len(row))) }",
			After:  "f.ReadAt(rows[:n*size], at) // one call\nfor row := range slices.Chunk(rows[:n*size], size) { use(row) }",
		},
	},
	{
		of: []string{"os.(*File).WriteAt", "syscall.Pwrite", "golang.org/x/sys/unix.Pwrite*"},
		Remedy: Remedy{
			Change: "Collect what lies side by side in a buffer that is used again, and write it in one call.",
			Before: "for i, row := range rows { f.WriteAt(row, at+int64(i*len(row))) }",
			After:  "for _, row := range rows { buf = append(buf, row...) }\nf.WriteAt(buf, at) // one call",
		},
	},
}

var untypedRemedies = []remedyFor{{
	of: []string{"encoding/json.mapEncoder.encode", "encoding/json.resolveKeyName*", "encoding/json/v2.marshal*"},
	Remedy: Remedy{
		Change: "Encode a struct instead of a map: the keys of a map are sorted by reflection each time, and each value in " +
			"an any is looked at.",
		Before: "json.NewEncoder(w).Encode(map[string]any{\"id\": u.ID, \"name\": u.Name})",
		After: "json.NewEncoder(w).Encode(struct {\n\tID   string `json:\"id\"`\n\tName string `json:\"name\"`\n" +
			"}{u.ID, u.Name})",
	},
}}
