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
	Change: "Log less often than once per request, or sample. Where each line is needed, use typed attributes (slog.LogAttrs, zap's Logger), which need no reflection and no map, and a handler that writes " +
		"to a buffer instead of a system call per line.",
	Before: "logger.WithFields(logrus.Fields{\"user\": user}).Info(\"served\")",
	After:  "logger.LogAttrs(ctx, slog.LevelInfo, \"served\", slog.String(\"user\", user))",
	Find: func(v *View, r *Rule) []*found {
		return v.spendsTogether(r, v.withArguments(calls(isLog)), func(u *use) string {
			return fmt.Sprintf("log lines are written for each request by %s%s", short(u.via), u.perRequest("allocations"))
		})
	},
}

var fmtHot = &Rule{
	Name: "fmt-hot", Title: "fmt in the hot path",
	Looks: "time and bytes under package fmt, without what it writes to",
	Thresholds: []Threshold{
		{Name: "cost", Value: 0.05, Reason: "one formatted line for each answer is often the price of a plain program"},
	},
	Change: "fmt parses the format and looks at each argument's type on every call, and boxes arguments in interfaces. Append with strconv and append to a byte slice that is used again; for two strings, +.",
	Before: "s := fmt.Sprintf(\"%s:%d\", host, port)",
	After:  "buf = append(append(buf[:0], host...), ':')\nbuf = strconv.AppendInt(buf, int64(port), 10)",
	Find: func(v *View, r *Rule) []*found {
		return v.spendsOn(r, v.withArguments(outsideKernel(calls(func(f *frame) bool { return f.pkg == "fmt" }))), func(u *use) string {
			return fmt.Sprintf("%s formats for each request%s", short(u.via), u.perRequest("allocations"))
		})
	},
}

var jsonAny = &Rule{
	Name: "json-any", Title: "JSON by way of any and maps",
	Looks: "time and bytes where encoding/json decodes into interfaces and maps, encodes maps, or grows the buffer of a decoder that is new each time",
	Thresholds: []Threshold{
		{Name: "codec", Value: 0.10, Reason: "for decoders and encoders that are new for each body: they cannot be used again for another one, so that only large buffers are worth a change"},
	},
	Change: "Decode into a struct with the fields that are used: a map of any allocates for each key and value. Encode a struct instead of a map, which is sorted by reflection each time. Keep buffers and decoders of a connection.",
	Before: "var m map[string]any\njson.Unmarshal(data, &m)\nid := m[\"id\"].(string)",
	After:  "var m struct{ ID string `json:\"id\"` }\njson.Unmarshal(data, &m)",
	Find: func(v *View, r *Rule) []*found {
		all := v.spendsOn(r, calls(untypedJSON), func(u *use) string {
			return fmt.Sprintf("%s works through any and maps%s", short(u.via), u.perRequest("allocations"))
		})
		all = append(all, v.spendsOn(r, calls(makesCodec), func(u *use) string {
			if u.cost < r.threshold("codec") {
				return ""
			}
			return fmt.Sprintf("%s makes its buffer anew for each call%s", short(u.what), u.perRequest("allocations"))
		})...)
		for _, f := range all { // the text has to be read in any case; memory and maps need not be
			f.Gain = v.shareOf(slices.DeleteFunc(slices.Clone(f.stacks), func(i int) bool { return v.stacks[i].frames[0].origin != prof.Runtime }))
		}
		return all
	},
}

func untypedJSON(f *frame) bool {
	return f.is("encoding/json.(*decodeState).valueInterface", "encoding/json.(*decodeState).objectInterface", "encoding/json.(*decodeState).arrayInterface", "encoding/json.(*decodeState).literalInterface",
		"encoding/json.mapEncoder.encode", "encoding/json.resolveKeyName*",
		"encoding/json/v2.unmarshalValueAny", "encoding/json/v2.unmarshalObjectAny", "encoding/json/v2.unmarshalArrayAny", "encoding/json/v2.marshalObjectAny", "encoding/json/v2.marshalValueAny")
}

func makesCodec(f *frame) bool {
	return f.is("encoding/json.(*Decoder).refill", "encoding/json.NewDecoder", "encoding/json.NewEncoder")
}

var binaryFixed = &Rule{
	Name: "binary-fixed", Title: "encoding/binary.Read and Write on fixed structures",
	Looks:  "time and bytes under encoding/binary's functions that use reflection, without what they read from or write to",
	Change: "binary.Read and Write walk the value by reflection and allocate a buffer on each call. Read the bytes of the structure at once and take the fields with binary.BigEndian.Uint32 and the like.",
	Before: "var h header\nbinary.Read(conn, binary.BigEndian, &h)",
	After:  "var b [8]byte\nio.ReadFull(conn, b[:])\nh := header{size: binary.BigEndian.Uint32(b[:4]), id: binary.BigEndian.Uint32(b[4:])}",
	Find: func(v *View, r *Rule) []*found {
		return v.spendsTogether(r, outsideKernel(calls(oneOf("encoding/binary.Read", "encoding/binary.Write", "encoding/binary.Size", "encoding/binary.Append", "encoding/binary.Decode", "encoding/binary.Encode"))), func(u *use) string {
			return fmt.Sprintf("%s reads or writes a fixed structure by reflection%s", short(u.via), u.perRequest("allocations"))
		})
	},
}

var reflection = &Rule{
	Name: "reflection", Title: "reflection in the hot path",
	Looks:  "time and bytes under package reflect where the user's code, or a library outside of the standard one, calls it",
	Change: "Reflection looks at types on every call, and allocates. Compare with == or a method of the type (slices.Equal, maps.Equal, bytes.Equal); copy and set fields by code for the type, generated if there are many.",
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
			return at
		}, func(u *use) string {
			return fmt.Sprintf("%s works by reflection for each call%s", short(u.via), u.perRequest("allocations"))
		})
	},
}

var needlessSort = &Rule{
	Name: "needless-sort", Title: "sorting what did not change, or by reflection",
	Looks:  "time under package sort and slices' sorts: of what outlives the call, and by way of interfaces",
	Change: "Sort when an element is added, or keep the sorted copy until the data changes. Where each call has data of its own, slices.SortFunc compares and swaps without interfaces and reflection.",
	Before: "sort.Slice(s.items, func(i, j int) bool { return s.items[i].rank < s.items[j].rank }) // on each request",
	After:  "i, _ := slices.BinarySearchFunc(s.items, it, byRank)\ns.items = slices.Insert(s.items, i, it) // when one is added",
	Find: func(v *View, r *Rule) []*found {
		var all []*found
		for _, f := range v.spendsOn(r, calls(func(f *frame) bool {
			return f.origin != prof.Own && f.is("sort.*", "slices.Sort*", "slices.pdq*", "slices.stable*")
		}), func(u *use) string { return short(u.via) }) {
			kept := v.source(f.Place.File).sortsKept(int(f.Place.Line))
			switch {
			case kept != "":
				f.Title = fmt.Sprintf("%s sorts %s for each call, which outlives it", f.Title, kept)
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
