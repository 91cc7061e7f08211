package advice

import (
	"fmt"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/prof"
)

// Functions of libraries that cost much for what they do, where cheaper ones are at hand.

var fmtHot = &Rule{
	Name: "fmt-hot", Title: "fmt in the hot path",
	Looks: "time and bytes under package fmt, without what it writes to, where the format sets no columns or signs",
	Thresholds: []Threshold{
		{Name: "cost", Value: 0.05, Reason: "one formatted line for each answer is often the price of a plain program"},
	},
	Remedy: Remedy{
		Change: "fmt parses the format and looks at each argument's type on every call, and boxes arguments in interfaces. " +
			"Append with strconv and append to a byte slice that is used again; for two strings, +.",
		Before: "s := fmt.Sprintf(\"%s:%d\", host, port)",
		After:  "buf = append(append(buf[:0], host...), ':')\nbuf = strconv.AppendInt(buf, int64(port), 10)",
	},
	Mechanical: true,
	Find: func(v *search, r *Rule) []*found {
		return v.spendsOn(r, v.withArguments(outsideKernel(calls(func(f *facts.Frame) bool { return f.Pkg == "fmt" }))),
			func(u *facts.Account) string {
				if v.File(u.Place.File).SetsColumns(int(u.Place.Line)) {
					return "" // what it does, strconv does not
				}
				return fmt.Sprintf("%s formats for each request%s", facts.Short(u.Via), perRequest(u, "allocations"))
			})
	},
}

var codecPerMessage = &Rule{
	Name: "codec-per-message", Title: "a codec made for each message",
	Looks: "time and bytes where encoding/gob sends and compiles types, and where encoding/xml and encoding/csv make " +
		"their buffers",
	Remedy: Remedy{
		Change: "An encoder and a decoder of gob send and compile the types of their stream once: keep one pair for each " +
			"connection, or use a codec without state for single messages.",
		Before: "gob.NewEncoder(&buf).Encode(msg) // for each message",
		After:  "enc := gob.NewEncoder(conn) // once for a connection\nenc.Encode(msg)",
	},
	Find: func(v *search, r *Rule) []*found {
		all := remedied(v.spendsTogether(r, calls(func(f *facts.Frame) bool {
			return f.Is("encoding/gob.NewEncoder", "encoding/gob.NewDecoder", "encoding/gob.(*Encoder).sendType*",
				"encoding/gob.(*Decoder).recvType", "encoding/gob.(*Decoder).compile*",
				"encoding/gob.(*Decoder).getDecoderEnginePtr", "encoding/xml.NewDecoder*", "encoding/xml.NewEncoder",
				"encoding/csv.NewReader", "encoding/csv.NewWriter")
		}), func(u *facts.Account) string {
			return fmt.Sprintf("%s makes a codec for each message%s", facts.Short(u.Via), perRequest(u, "allocations"))
		}), codecRemedies)
		reads := calls(oneOf("encoding/csv.(*Reader).Read", "encoding/csv.(*Reader).ReadAll"))
		return v.withDue(all, func(s *facts.Stack) int {
			if s.Find(facts.Allocates) < 0 {
				return -1
			}
			return reads(s)
		})
	},
}

var fieldBySplit = &Rule{
	Name: "field-by-split", Title: "a whole text taken apart for one field",
	Looks: "time and bytes under strings.Split, Fields and their like of which the line takes one element, and under " +
		"fmt.Sscan and Sscanf",
	Remedy: Remedy{
		Change: "strings.Cut gives what is before and after a separator without a slice of all parts; strings.SplitSeq " +
			"stops where the loop stops. strconv.Atoi on such a part is ten times as fast as fmt.Sscanf, which works by " +
			"reflection.",
		Before: "id := strings.Split(path, \"/\")[2]\nfmt.Sscanf(line, \"%d:%d\", &a, &b)",
		After:  "_, id, _ := strings.Cut(path[1:], \"/\")\nx, y, ok := strings.Cut(line, \":\")\na, err := strconv.Atoi(x)",
	},
	Find: func(v *search, r *Rule) []*found {
		splits := calls(oneOf("strings.Split*", "strings.genSplit*", "strings.Fields*", "bytes.Split*",
			"bytes.genSplit*", "bytes.Fields*"))
		return v.spendsOn(r, either(calls(oneOf("fmt.Sscan*", "fmt.Fscan*")), func(s *facts.Stack) int {
			at := splits(s)
			if at < 0 {
				return -1
			}
			if own := s.Own(at); own == len(s.Frames) ||
				!v.File(s.Frames[own].File).TakesOnePart(int(s.Frames[own].Line)) {
				return -1
			}
			return at
		}), func(u *facts.Account) string {
			return fmt.Sprintf("%s takes a text apart for single fields%s", facts.Short(u.Via), perRequest(u, "allocations"))
		})
	},
}

var binaryFixed = &Rule{
	Name: "binary-fixed", Title: "encoding/binary.Read and Write on fixed structures",
	Looks: "time and bytes under encoding/binary's functions that use reflection, without what they read from or write " +
		"to",
	Remedy: Remedy{
		Change: "binary.Read and Write walk the value by reflection and allocate a buffer on each call. Read the bytes of " +
			"the structure at once and take the fields with binary.BigEndian.Uint32 and the like.",
		Before: "var h header\nbinary.Read(conn, binary.BigEndian, &h)",
		After: "var b [8]byte\nio.ReadFull(conn, b[:])\nh := header{size: binary.BigEndian.Uint32(b[:4]), id: " +
			"binary.BigEndian.Uint32(b[4:])}",
	},
	Find: func(v *search, r *Rule) []*found {
		return remedied(v.spendsTogether(r, outsideKernel(calls(oneOf("encoding/binary.Read", "encoding/binary.Write",
			"encoding/binary.Size", "encoding/binary.Append", "encoding/binary.Decode", "encoding/binary.Encode"))),
			func(u *facts.Account) string {
				return fmt.Sprintf("%s reads or writes a fixed structure by reflection%s", facts.Short(u.Via),
					perRequest(u, "allocations"))
			}), fixedRemedies)
	},
}

var reflection = &Rule{
	Name: "reflection", Title: "reflection in the hot path",
	Looks: "time and bytes under package reflect where the user's code, or a library outside of the standard one, " +
		"calls it, with what the source makes of types alone, such as the parts of a tag",
	Remedy: Remedy{
		Change: "Reflection looks at types on every call, and allocates. Compare with == or a method of the type " +
			"(slices.Equal, maps.Equal, bytes.Equal); copy and set fields by code for the type, generated if there are many.",
		Before: "if reflect.DeepEqual(a, b) {",
		After:  "if slices.Equal(a.Tags, b.Tags) && a.ID == b.ID {",
	},
	Find: func(v *search, r *Rule) []*found {
		all := v.spendsOn(r, either(v.DependsOnType, v.reflects), func(u *facts.Account) string {
			if 2*v.ofTypes(u.Stacks) > u.Cost {
				return "what depends on the type only is read by reflection for each value" + perRequest(u, "allocations")
			}
			return fmt.Sprintf("%s works by reflection for each call%s", facts.Short(u.Via), perRequest(u, "allocations"))
		})
		for _, f := range all {
			if 2*v.ofTypes(f.stacks) > f.Cost {
				f.Remedy = keptForType
				v.atReflection(f)
			}
		}
		return all
	},
}

// keptForType is for fields and tags that are read again for each value of a type.
var keptForType = Remedy{
	Change: "The fields of a type and their tags never change: read them once for each type, with all that is made of " +
		"them, and keep that in a sync.Map by its reflect.Type. For a value only the fields' own values are then read.",
	Before: "for i := range t.NumField() { name, _, _ := strings.Cut(t.Field(i).Tag.Get(\"col\"), \",\") }",
	After: "fields, ok := kept.Load(t) // var kept sync.Map\n" +
		"if !ok { fields, _ = kept.LoadOrStore(t, fieldsOf(t)) }",
}

// atReflection moves a finding to the dearest line of it that calls package reflect, from one that only works on what
// that gave.
func (v *search) atReflection(f *found) {
	var calls []int
	for _, i := range f.stacks {
		if v.reflects(&v.Stacks[i]) >= 0 {
			calls = append(calls, i)
		}
	}
	if lines := v.linesOf(calls); len(lines) > 0 {
		f.Place = lines[0]
	}
}

// ofTypes is the part of what stacks cost that depends on types only.
func (v *search) ofTypes(stacks []int) (share float64) {
	for _, i := range stacks {
		if s := &v.Stacks[i]; v.DependsOnType(s) >= 0 {
			share += s.Cost
		}
	}
	return share
}

// reflects matches what the user's code, or a library outside of the standard one, calls of package reflect.
func (v *search) reflects(s *facts.Stack) int {
	at := s.Find(func(f *facts.Frame) bool { return f.Pkg == "reflect" || f.Pkg == "internal/reflectlite" })
	if at < 0 {
		return -1
	}
	at = s.Outermost(func(f *facts.Frame) bool { return f.Pkg == "reflect" }, s.Own(at))
	if at < 0 || at+1 >= len(s.Frames) || s.Frames[at+1].Origin < prof.Dependency {
		return -1
	}
	if f := &s.Frames[at+1]; f.Origin == prof.Own && v.File(f.File).ComparesAny(int(f.Line)) {
		return -1 // no type is known that could compare itself
	}
	return at
}
