package advice

import (
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/prof"
)

var jsonAny = &Rule{
	Name: "json-any", Title: "JSON by way of any and maps",
	Looks: "time and bytes where encoding/json decodes into interfaces and maps, encodes maps (without structs in " +
		"them), or grows the buffer of a decoder that is new each time",
	Thresholds: []Threshold{
		{Name: "codec", Value: 0.10,
			Reason: "for decoders and encoders that are new for each body: they cannot be used again for another one, so that " +
				"only large buffers are worth a change"},
	},
	Remedy: Remedy{
		Change: "Decode into a struct with the fields that are used: a map of any allocates for each key and value. Encode " +
			"a struct instead of a map, which is sorted by reflection each time. Keep buffers and decoders of a connection.",
		Before: "var m map[string]any\njson.Unmarshal(data, &m)\nid := m[\"id\"].(string)",
		After:  "var m struct{ ID string `json:\"id\"` }\njson.Unmarshal(data, &m)",
	},
	Find: func(v *search, r *Rule) []*found {
		say := func(u *facts.Account) string {
			return fmt.Sprintf("%s works through any and maps%s", facts.Short(u.Via), perRequest(u, "allocations"))
		}
		// What is decoded into any is one cause, in however many functions, and what is encoded is another one.
		decodes := v.anyFields(either(v.decodesAny(), calls(untypedDecode)))
		all := append(v.spendsTogether(r, decodes, say), v.spendsTogether(r, v.anyFields(ofMaps), say)...)
		all = append(all, v.spendsOn(r, calls(makesCodec), func(u *facts.Account) string {
			if u.Cost < r.threshold("codec") {
				return ""
			}
			return fmt.Sprintf("%s makes its buffer anew for each call%s", facts.Short(u.What), perRequest(u, "allocations"))
		})...)
		for _, f := range all { // the text has to be read in any case; memory and maps need not be
			f.Gain = v.ShareOf(slices.DeleteFunc(slices.Clone(f.stacks),
				func(i int) bool { return v.Stacks[i].Frames[0].Origin != prof.Runtime }))
		}
		return remedied(all, untypedRemedies)
	},
}

func untypedDecode(f *facts.Frame) bool {
	return f.Is("encoding/json.(*decodeState).valueInterface", "encoding/json.(*decodeState).objectInterface",
		"encoding/json.(*decodeState).arrayInterface", "encoding/json.(*decodeState).literalInterface",
		"encoding/json/v2.unmarshalValueAny", "encoding/json/v2.unmarshalObjectAny",
		"encoding/json/v2.unmarshalArrayAny")
}

func untypedEncode(f *facts.Frame) bool {
	return f.Is("encoding/json.mapEncoder.encode", "encoding/json.resolveKeyName*",
		"encoding/json/v2.marshalObjectAny", "encoding/json/v2.marshalValueAny")
}

// ofMaps matches the encoding of maps, without that of the structs and of the types with a MarshalJSON in them: these
// cost the same in a struct.
func ofMaps(s *facts.Stack) int {
	at := s.Find(func(f *facts.Frame) bool {
		return untypedEncode(f) || callsMarshaler(f) || f.Is("encoding/json.structEncoder.encode",
			"encoding/json.textMarshalerEncoder", "encoding/json.addrTextMarshalerEncoder")
	})
	if at < 0 || !untypedEncode(&s.Frames[at]) {
		return -1
	}
	return calls(untypedEncode)(s)
}

// decodesAny matches the user's lines that decode JSON into maps and values of any type.
func (v *search) decodesAny() func(*facts.Stack) int {
	decodes := calls(oneOf("encoding/json.Unmarshal", "encoding/json.(*Decoder).Decode"))
	return func(s *facts.Stack) int {
		at := decodes(s)
		if at < 0 || at+1 >= len(s.Frames) || s.Frames[at+1].Origin != prof.Own {
			return -1
		}
		if f := &s.Frames[at+1]; v.File(f.File).DecodesIntoAny(int(f.Line)) {
			return at
		}
		return -1
	}
}

// anyFields narrows match to stacks on which the user's packages name fields of values of any type: a struct
// cannot replace a map whose keys are not constants. It keeps stacks whose source is not known.
func (v *search) anyFields(match func(*facts.Stack) int) func(*facts.Stack) int {
	return func(s *facts.Stack) int {
		at := match(s)
		if at < 0 || s.Find(oneOf("encoding/json.Unmarshal", "encoding/json.(*Decoder).Decode")) < 0 {
			return at
		}
		known := false
		for i := range s.Frames {
			if f := &s.Frames[i]; f.Origin == prof.Own {
				file := v.File(f.File)
				if known = known || file.Known(); file.NamesFields() {
					return at
				}
			}
		}
		if known {
			return -1
		}
		return at
	}
}

func makesCodec(f *facts.Frame) bool {
	return f.Is("encoding/json.(*Decoder).refill", "encoding/json.NewDecoder", "encoding/json.NewEncoder")
}
