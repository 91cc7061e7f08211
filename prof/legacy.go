package prof

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/symbol"
)

// maxText is the largest text profile that is read, in bytes. Reading one takes up to sixty
// times its size, so that it stays under the memory that Limits allow.
const maxText = 32 << 20

// textProfiles are how profiles of debug=1 begin: heap and allocs, goroutine and
// threadcreate, mutex, block.
var textProfiles = []string{"heap profile: ", "goroutine profile: total ", "threadcreate profile: total ", "--- mutex:",
	"--- contention:"}

// Errors of formats that hone does not read. Their texts end with what converts them.
var (
	errTraces    = errors.New("stacks of goroutines as text (debug=2), not a profile: take it without debug=2")
	errLegacyCPU = errors.New("a CPU profile in the format before protobuf, which has addresses and no names: " +
		"go tool pprof -proto BINARY FILE >new.pb.gz converts it, if BINARY is the program")
	errNoNames = errors.New("a text profile without names of functions: take it without debug=1, or " +
		"go tool pprof -proto BINARY FILE >new.pb.gz converts it, if BINARY is the program")
)

// legacyCPU is how a CPU profile of the old format begins: words of 4 or 8 bytes, 0 3 0, and 0 3 1 of Java.
var legacyCPU = regexp.MustCompile(`^(?s:\x00{4}\x03\x00{3}[\x00\x01]\x00{3}|\x00{8}\x03\x00{7}[\x00\x01]\x00{3}|\x00{7}\x03\x00{3}[\x00\x01]|\x00{15}\x03\x00{4})`)

// parseLegacy reads a profile of an old format; ok is false if it is of none.
func parseLegacy(r *bufio.Reader, limits Limits) (p *profile.Profile, ok bool, err error) {
	head, err := r.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, nil // the reader of the other formats says so
	}
	if err := otherFormat(head); err != nil {
		return nil, true, err
	}
	switch {
	case legacyCPU.Match(head):
		return nil, true, errLegacyCPU
	case bytes.HasPrefix(head, []byte("goroutine ")) && bytes.Contains(head, []byte(" [")):
		return nil, true, errTraces
	case !isText(head):
		return nil, false, nil
	}
	text, err := readBounded(r, min(maxText, limits.Uncompressed), "of text")
	if err != nil {
		return nil, true, err
	}
	p, err = parseText(text, limits)
	return p, true, err
}

// isText says whether a file begins as a text profile that is read.
func isText(head []byte) bool {
	return slices.ContainsFunc(textProfiles, func(prefix string) bool { return bytes.HasPrefix(head, []byte(prefix)) })
}

// parseText reads a text profile. The library tries the protobuf format first, so the text
// is screened as if it were that.
func parseText(text []byte, limits Limits) (*profile.Profile, error) {
	s := screen{limits: limits.forFile(int64(len(text)))}
	switch err := stream(bytes.NewReader(text), s.admit); {
	case err == nil:
		return nil, errors.New("it is a text profile and a message of protobuf at the same time")
	case errors.Is(err, ErrLimit):
		return nil, err
	}
	p, err := profile.ParseData(text)
	if err != nil {
		return nil, err
	}
	if err := checkFrames(p, limits); err != nil {
		return nil, err
	}
	if !symbolise(p, readSymbols(text)) && len(p.Sample) > 0 {
		return nil, errNoNames
	}
	return p, p.CheckValid()
}

// readSymbols reads the comments below each stack, by address; several of one address are
// inlined calls, leaf first:
//
//	#	0x4a8f2b	main.alloc+0x2b	/src/main.go:12
func readSymbols(text []byte) map[uint64][]symbol.Frame {
	symbols := map[uint64][]symbol.Frame{}
	var stack map[uint64][]symbol.Frame // of the record at hand
	add := func() {
		for address, all := range stack {
			if symbols[address] == nil {
				symbols[address] = all
			}
		}
		stack = map[uint64][]symbol.Frame{}
	}
	add()
	for line := range bytes.Lines(text) {
		if line[0] != '#' {
			add()
			continue
		}
		if address, s, ok := readSymbol(string(line)); ok {
			stack[address] = append(stack[address], s)
		}
	}
	add()
	return symbols
}

func readSymbol(line string) (address uint64, s symbol.Frame, ok bool) {
	fields := strings.FieldsFunc(strings.TrimRight(strings.TrimPrefix(line, "#"), "\r\n"),
		func(r rune) bool { return r == '\t' })
	if len(fields) != 3 {
		return 0, s, false
	}
	address, err := strconv.ParseUint(strings.TrimSpace(fields[0]), 0, 64)
	plus, colon := strings.LastIndex(fields[1], "+0x"), strings.LastIndexByte(fields[2], ':')
	if err != nil || plus <= 0 || colon < 0 {
		return 0, s, false
	}
	s.Function, s.File = fields[1][:plus], strings.TrimSpace(fields[2][:colon])
	s.Line, err = strconv.ParseInt(fields[2][colon+1:], 10, 64)
	return address, s, err == nil
}

// symbolise gives locations their names, and says whether there were any. The runtime's
// frames at the leaf have none in a text profile, and are left out, as the runtime does in
// its other profiles.
func symbolise(p *profile.Profile, symbols map[uint64][]symbol.Frame) bool {
	functions := map[symbol.Frame]*profile.Function{}
	for _, l := range p.Location {
		all := symbols[l.Address]
		if all == nil {
			all = symbols[l.Address+1] // the library takes one off each
		}
		for _, s := range all {
			key := symbol.Frame{Function: s.Function, File: s.File}
			f := functions[key]
			if f == nil {
				f = &profile.Function{ID: uint64(len(p.Function) + 1), Name: s.Function, SystemName: s.Function,
					Filename: s.File}
				functions[key] = f
				p.Function = append(p.Function, f)
			}
			l.Line = append(l.Line, profile.Line{Function: f, Line: s.Line})
		}
	}
	for _, s := range p.Sample {
		named := s.Location
		for len(named) > 0 && len(named[0].Line) == 0 {
			named = named[1:]
		}
		if len(named) > 0 {
			s.Location = named
		}
	}
	return len(p.Function) > 0
}
