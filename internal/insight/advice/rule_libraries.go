package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/prof"
)

// Functions of libraries that cost much for what they do, where cheaper ones are at hand.

var slowLogging = &Rule{
	Name: "slow-logging", Title: "log lines in the path of each request",
	Looks: "time and bytes under packages that write logs",
	Change: "Log less often than once per request, or sample. Where each line is needed, use typed attributes " +
		"(slog.LogAttrs, zap's Logger), which need no reflection and no map, and a handler that writes to a buffer instead " +
		"of a system call per line.",
	Before: "logger.WithFields(logrus.Fields{\"user\": user}).Info(\"served\")",
	After:  "logger.LogAttrs(ctx, slog.LevelInfo, \"served\", slog.String(\"user\", user))",
	Find: func(v *View, r *Rule) []*found {
		return remedied(v.spendsTogether(r, v.withArguments(calls(isLog)), func(u *use) string {
			return fmt.Sprintf("log lines are written for each request by %s%s", short(u.via),
				u.perRequest("allocations"))
		}), loggingRemedies)
	},
}

var fmtHot = &Rule{
	Name: "fmt-hot", Title: "fmt in the hot path",
	Looks: "time and bytes under package fmt, without what it writes to, where the format sets no columns or signs",
	Thresholds: []Threshold{
		{Name: "cost", Value: 0.05, Reason: "one formatted line for each answer is often the price of a plain program"},
	},
	Change: "fmt parses the format and looks at each argument's type on every call, and boxes arguments in interfaces. " +
		"Append with strconv and append to a byte slice that is used again; for two strings, +.",
	Before: "s := fmt.Sprintf(\"%s:%d\", host, port)",
	After:  "buf = append(append(buf[:0], host...), ':')\nbuf = strconv.AppendInt(buf, int64(port), 10)",
	Find: func(v *View, r *Rule) []*found {
		return v.spendsOn(r, v.withArguments(outsideKernel(calls(func(f *frame) bool { return f.pkg == "fmt" }))),
			func(u *use) string {
				if v.source(u.place.File).setsColumns(int(u.place.Line)) {
					return "" // what it does, strconv does not
				}
				return fmt.Sprintf("%s formats for each request%s", short(u.via), u.perRequest("allocations"))
			})
	},
}

var jsonAny = &Rule{
	Name: "json-any", Title: "JSON by way of any and maps",
	Looks: "time and bytes where encoding/json decodes into interfaces and maps, encodes maps, or grows the buffer of a " +
		"decoder that is new each time",
	Thresholds: []Threshold{
		{Name: "codec", Value: 0.10,
			Reason: "for decoders and encoders that are new for each body: they cannot be used again for another one, so that " +
				"only large buffers are worth a change"},
	},
	Change: "Decode into a struct with the fields that are used: a map of any allocates for each key and value. Encode " +
		"a struct instead of a map, which is sorted by reflection each time. Keep buffers and decoders of a connection.",
	Before: "var m map[string]any\njson.Unmarshal(data, &m)\nid := m[\"id\"].(string)",
	After:  "var m struct{ ID string `json:\"id\"` }\njson.Unmarshal(data, &m)",
	Find: func(v *View, r *Rule) []*found {
		all := v.spendsOn(r, v.anyFields(either(v.decodesAny(), calls(untypedJSON))), func(u *use) string {
			return fmt.Sprintf("%s works through any and maps%s", short(u.via), u.perRequest("allocations"))
		})
		all = append(all, v.spendsOn(r, calls(makesCodec), func(u *use) string {
			if u.cost < r.threshold("codec") {
				return ""
			}
			return fmt.Sprintf("%s makes its buffer anew for each call%s", short(u.what), u.perRequest("allocations"))
		})...)
		for _, f := range all { // the text has to be read in any case; memory and maps need not be
			f.Gain = v.shareOf(slices.DeleteFunc(slices.Clone(f.stacks),
				func(i int) bool { return v.stacks[i].frames[0].origin != prof.Runtime }))
		}
		return remedied(all, untypedRemedies)
	},
}

func untypedJSON(f *frame) bool {
	return f.is("encoding/json.(*decodeState).valueInterface", "encoding/json.(*decodeState).objectInterface",
		"encoding/json.(*decodeState).arrayInterface", "encoding/json.(*decodeState).literalInterface",
		"encoding/json.mapEncoder.encode", "encoding/json.resolveKeyName*",
		"encoding/json/v2.unmarshalValueAny", "encoding/json/v2.unmarshalObjectAny",
		"encoding/json/v2.unmarshalArrayAny", "encoding/json/v2.marshalObjectAny", "encoding/json/v2.marshalValueAny")
}

func makesCodec(f *frame) bool {
	return f.is("encoding/json.(*Decoder).refill", "encoding/json.NewDecoder", "encoding/json.NewEncoder")
}

var codecPerMessage = &Rule{
	Name: "codec-per-message", Title: "a codec made for each message",
	Looks: "time and bytes where encoding/gob sends and compiles types, and where encoding/xml and encoding/csv make " +
		"their buffers",
	Change: "An encoder and a decoder of gob send and compile the types of their stream once: keep one pair for each " +
		"connection, or use a codec without state for single messages.",
	Before: "gob.NewEncoder(&buf).Encode(msg) // for each message",
	After:  "enc := gob.NewEncoder(conn) // once for a connection\nenc.Encode(msg)",
	Find: func(v *View, r *Rule) []*found {
		return remedied(v.spendsTogether(r, calls(func(f *frame) bool {
			return f.is("encoding/gob.NewEncoder", "encoding/gob.NewDecoder", "encoding/gob.(*Encoder).sendType*",
				"encoding/gob.(*Decoder).recvType", "encoding/gob.(*Decoder).compile*",
				"encoding/gob.(*Decoder).getDecoderEnginePtr", "encoding/xml.NewDecoder*", "encoding/xml.NewEncoder",
				"encoding/csv.NewReader", "encoding/csv.NewWriter")
		}), func(u *use) string {
			return fmt.Sprintf("%s makes a codec for each message%s", short(u.via), u.perRequest("allocations"))
		}), codecRemedies)
	},
}

var fieldBySplit = &Rule{
	Name: "field-by-split", Title: "a whole text taken apart for one field",
	Looks: "time and bytes under strings.Split, Fields and their like of which the line takes one element, and under " +
		"fmt.Sscan and Sscanf",
	Change: "strings.Cut gives what is before and after a separator without a slice of all parts; strings.SplitSeq " +
		"stops where the loop stops. strconv.Atoi on such a part is ten times as fast as fmt.Sscanf, which works by " +
		"reflection.",
	Before: "id := strings.Split(path, \"/\")[2]\nfmt.Sscanf(line, \"%d:%d\", &a, &b)",
	After:  "_, id, _ := strings.Cut(path[1:], \"/\")\nx, y, ok := strings.Cut(line, \":\")\na, err := strconv.Atoi(x)",
	Find: func(v *View, r *Rule) []*found {
		splits := calls(oneOf("strings.Split*", "strings.genSplit*", "strings.Fields*", "bytes.Split*",
			"bytes.genSplit*", "bytes.Fields*"))
		return v.spendsOn(r, either(calls(oneOf("fmt.Sscan*", "fmt.Fscan*")), func(s *stack) int {
			at := splits(s)
			if at < 0 {
				return -1
			}
			if own := s.own(at); own == len(s.frames) ||
				!v.source(s.frames[own].file).takesOnePart(int(s.frames[own].line)) {
				return -1
			}
			return at
		}), func(u *use) string {
			return fmt.Sprintf("%s takes a text apart for single fields%s", short(u.via), u.perRequest("allocations"))
		})
	},
}

var binaryFixed = &Rule{
	Name: "binary-fixed", Title: "encoding/binary.Read and Write on fixed structures",
	Looks: "time and bytes under encoding/binary's functions that use reflection, without what they read from or write " +
		"to",
	Change: "binary.Read and Write walk the value by reflection and allocate a buffer on each call. Read the bytes of " +
		"the structure at once and take the fields with binary.BigEndian.Uint32 and the like.",
	Before: "var h header\nbinary.Read(conn, binary.BigEndian, &h)",
	After: "var b [8]byte\nio.ReadFull(conn, b[:])\nh := header{size: binary.BigEndian.Uint32(b[:4]), id: " +
		"binary.BigEndian.Uint32(b[4:])}",
	Find: func(v *View, r *Rule) []*found {
		return remedied(v.spendsTogether(r, outsideKernel(calls(oneOf("encoding/binary.Read", "encoding/binary.Write",
			"encoding/binary.Size", "encoding/binary.Append", "encoding/binary.Decode", "encoding/binary.Encode"))),
			func(u *use) string {
				return fmt.Sprintf("%s reads or writes a fixed structure by reflection%s", short(u.via),
					u.perRequest("allocations"))
			}), fixedRemedies)
	},
}

var reflection = &Rule{
	Name: "reflection", Title: "reflection in the hot path",
	Looks: "time and bytes under package reflect where the user's code, or a library outside of the standard one, " +
		"calls it",
	Change: "Reflection looks at types on every call, and allocates. Compare with == or a method of the type " +
		"(slices.Equal, maps.Equal, bytes.Equal); copy and set fields by code for the type, generated if there are many.",
	Before: "if reflect.DeepEqual(a, b) {",
	After:  "if slices.Equal(a.Tags, b.Tags) && a.ID == b.ID {",
	Find: func(v *View, r *Rule) []*found {
		return v.spendsOn(r, func(s *stack) int {
			at := s.find(func(f *frame) bool { return f.pkg == "reflect" || f.pkg == "internal/reflectlite" })
			if at < 0 {
				return -1
			}
			at = s.outermost(func(f *frame) bool { return f.pkg == "reflect" }, s.own(at))
			if at < 0 || at+1 >= len(s.frames) || s.frames[at+1].origin < prof.Dependency {
				return -1
			}
			if f := &s.frames[at+1]; f.origin == prof.Own && v.source(f.file).comparesAny(int(f.line)) {
				return -1 // no type is known that could compare itself
			}
			return at
		}, func(u *use) string {
			return fmt.Sprintf("%s works by reflection for each call%s", short(u.via), u.perRequest("allocations"))
		})
	},
}

var needlessSort = &Rule{
	Name: "needless-sort", Title: "sorting what did not change, more than is used, or by reflection",
	Looks: "time under package sort and slices' sorts: of what outlives the call, of what only the first elements are " +
		"used of, and by way of interfaces",
	Change: "Sort when an element is added, or keep the sorted copy until the data changes. Where each call has data of " +
		"its own, slices.SortFunc compares and swaps without interfaces and reflection.",
	Before: "sort.Slice(s.items, func(i, j int) bool { return s.items[i].rank < s.items[j].rank }) // on each request",
	After: "i, _ := slices.BinarySearchFunc(s.items, it, byRank)\n" +
		"s.items = slices.Insert(s.items, i, it) // when one is added",
	Find: func(v *View, r *Rule) []*found {
		var all []*found
		for _, f := range v.spendsOn(r, calls(func(f *frame) bool {
			return f.origin != prof.Own && f.is("sort.*", "slices.Sort*", "slices.pdq*", "slices.stable*")
		}), func(u *use) string { return short(u.via) }) {
			v.markRunning(f.Place.File)
			kept := v.source(f.Place.File).sortsKept(int(f.Place.Line))
			switch {
			case kept != "":
				f.Title = fmt.Sprintf("%s sorts %s for each call, which outlives it", f.Title, kept)
			case v.source(f.Place.File).sortsForFirst(int(f.Place.Line)) != "":
				f.Title = fmt.Sprintf("%s sorts all of %s, of which the first elements are used", f.Title,
					v.source(f.Place.File).sortsForFirst(int(f.Place.Line)))
				f.Change = "Keep only the best while going over the elements: a heap of as many as are wanted takes a step for " +
					"each element and hardly ever more. Or keep them sorted where they change."
				f.Before, f.After = "slices.SortFunc(all, better)\nreturn all[:n]",
					"for _, x := range all { best.offer(x) } // container/heap, n elements\nreturn best.sorted()"
			case strings.HasPrefix(f.Via, "sort."):
				f.Title = f.Title + " compares and swaps by way of interfaces for each call"
				f.Gain = v.shareOf(v.only(f.stacks, func(fr *frame) bool {
					return fr.pkg == "internal/reflectlite" || fr.pkg == "reflect" || fr.pkg == "sort"
				}))
			default:
				continue // data of its own, sorted as fast as can be
			}
			all = append(all, f)
		}
		return all
	},
}

// only keeps the stacks whose innermost frames, as far as the first of the user's, have one that match takes before any
// other that is not of the runtime.
func (v *View) only(stacks []int, match func(*frame) bool) (kept []int) {
	for _, i := range stacks {
		if at := v.stacks[i].leaf(); at >= 0 && match(&v.stacks[i].frames[at]) {
			kept = append(kept, i)
		}
	}
	return kept
}
