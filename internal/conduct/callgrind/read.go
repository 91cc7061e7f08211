package callgrind

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Profile is what a file of callgrind says of the functions of a program.
type Profile struct {
	// Total are all instructions: the sum of Self.
	Total uint64
	// Self are the instructions of each function without those that it calls, by symbol. What is
	// inlined in a function is its own.
	Self map[string]uint64
	// Calls is how often a function called another one.
	Calls map[Call]uint64
}

// Call is an edge of the graph of calls.
type Call struct{ Caller, Callee string }

// ErrFormat is wrapped by all errors of Read but those of the reader itself.
var ErrFormat = errors.New("not a file of callgrind")

// mostLine is the longest line that is read. Names of generic functions have a few kilobytes.
const mostLine = 1 << 20

// instructions is the event that is read, callgrind's name for an instruction that was executed.
const instructions = "Ir"

// Read reads a file in the format of callgrind, version 1 (Valgrind manual, "Callgrind Format
// Specification"): names by number, positions relative or not, several events, parts and jumps.
// Inclusive costs of calls are passed over; see the package. Errors name the line.
func Read(r io.Reader) (*Profile, error) {
	p := &parser{
		profile: &Profile{Self: map[string]uint64{}, Calls: map[Call]uint64{}},
		names:   map[uint64]string{}, positions: 1, event: -1,
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, mostLine)
	n := 0
	for lines.Scan() {
		n++
		if err := p.line(strings.TrimSpace(lines.Text())); err != nil {
			return nil, fmt.Errorf("read line %d: %w: %w", n, ErrFormat, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("read line %d: %w: it is longer than %d bytes", n+1, ErrFormat, mostLine)
	case err != nil:
		return nil, fmt.Errorf("read line %d: %w", n+1, err)
	case p.event < 0:
		return nil, fmt.Errorf("read to line %d: %w: no line \"events:\" with %s", n, ErrFormat, instructions)
	case p.pending:
		return nil, fmt.Errorf("read to line %d: %w: it ends after calls=", n, ErrFormat)
	case p.hasSummary && p.summary != p.profile.Total:
		return nil, fmt.Errorf("read to line %d: %w: its functions have %d instructions, and its summary says %d: a part "+
			"is missing",
			n, ErrFormat, p.profile.Total, p.summary)
	}
	return p.profile, nil
}

// parser is the state between two lines.
type parser struct {
	profile *Profile
	names   map[uint64]string // of functions, by the numbers of this file
	// positions is how many fields stand before the costs of a line; event is the place of the
	// instructions behind them, -1 until it is known.
	positions, event int
	function         string // of the cost lines that follow
	known            bool   // there is a function
	callee           string // of the next calls=
	hasCallee        bool
	pending          bool // the next line has the cost of a call or jump
	// summary adds up what the parts of the file say of all their instructions.
	summary    uint64
	hasSummary bool
}

func (p *parser) line(text string) error {
	if text == "" || text[0] == '#' {
		return nil
	}
	if c := text[0]; c == '+' || c == '-' || c == '*' || '0' <= c && c <= '9' {
		return p.cost(text)
	}
	if p.pending {
		return fmt.Errorf("%.40q stands where the cost of a call has to be", text)
	}
	at := strings.IndexAny(text, "=:")
	if at < 0 {
		return fmt.Errorf("%.40q is neither a cost nor a name", text)
	}
	key, value := text[:at], strings.TrimSpace(text[at+1:])
	if text[at] == ':' {
		return p.header(key, value)
	}
	return p.name(key, value)
}

// header reads key: value.
func (p *parser) header(key, value string) error {
	switch key {
	case "version":
		if value != "1" {
			return fmt.Errorf("version %.20q, want 1", value)
		}
	case "positions":
		p.positions = len(strings.Fields(value))
		if p.positions < 1 || p.positions > 2 {
			return fmt.Errorf("positions %.40q, want line, instr or both", value)
		}
	case "events":
		if p.event = slices.Index(strings.Fields(value), instructions); p.event < 0 {
			return fmt.Errorf("events %.40q, want %s among them", value, instructions)
		}
	case "summary":
		fields := strings.Fields(value)
		if p.event < 0 || p.event >= len(fields) {
			return fmt.Errorf("summary %.40q has no value of %s", value, instructions)
		}
		n, err := strconv.ParseUint(fields[p.event], 10, 64)
		if err != nil {
			return fmt.Errorf("%.40q is not a number of instructions", fields[p.event])
		}
		p.summary, p.hasSummary = p.summary+n, true
	}
	return nil
}

// name reads key=value.
func (p *parser) name(key, value string) (err error) {
	switch key {
	case "fn":
		p.function, err = p.resolve(value)
		p.known = err == nil
	case "cfn":
		p.callee, err = p.resolve(value)
		p.hasCallee = err == nil
	case "calls":
		err = p.calls(value)
	case "jump", "jcnd":
		p.pending = true
	case "fl", "fi", "fe", "ob", "cfi", "cfl", "cob": // files and objects: a symbol says enough
	default:
		return fmt.Errorf("unknown key %.40q", key)
	}
	return err
}

// resolve reads a name: "(3) main.main" gives it a number, "(3)" stands for that name, and
// anything else is the name itself.
func (p *parser) resolve(text string) (string, error) {
	if !strings.HasPrefix(text, "(") {
		return text, nil
	}
	number, name, _ := strings.Cut(text[1:], ")")
	id, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return text, nil // "(below main)" is a name
	}
	if name = strings.TrimSpace(name); name != "" {
		p.names[id] = name
		return name, nil
	}
	known, ok := p.names[id]
	if !ok {
		return "", fmt.Errorf("the number (%d) has no name so far", id)
	}
	return known, nil
}

// calls reads "COUNT POSITIONS"; the line after it has their cost.
func (p *parser) calls(value string) error {
	if !p.known || !p.hasCallee {
		return errors.New("calls= without fn= and cfn= before it")
	}
	number, _, _ := strings.Cut(value, " ")
	n, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return fmt.Errorf("%.40q is not a number of calls", number)
	}
	c := Call{p.function, p.callee}
	sum, over := bits.Add64(p.profile.Calls[c], n, 0)
	if over != 0 {
		return errors.New("more calls than a 64-bit number holds")
	}
	p.profile.Calls[c] = sum
	p.pending, p.hasCallee = true, false
	return nil
}

// cost reads "POSITIONS COSTS". A cost that is left out is 0.
func (p *parser) cost(text string) error {
	if p.pending {
		p.pending = false
		return nil
	}
	switch {
	case p.event < 0:
		return errors.New("a cost before the line \"events:\"")
	case !p.known:
		return errors.New("a cost without fn= before it")
	}
	fields := strings.Fields(text)
	if len(fields) < p.positions {
		return fmt.Errorf("%.40q has %d fields, want a position of %d", text, len(fields), p.positions)
	}
	at := p.positions + p.event
	if at >= len(fields) {
		return nil
	}
	n, err := strconv.ParseUint(fields[at], 10, 64)
	if err != nil {
		return fmt.Errorf("%.40q is not a number of instructions", fields[at])
	}
	total, over := bits.Add64(p.profile.Total, n, 0)
	if over != 0 {
		return errors.New("more instructions than a 64-bit number holds")
	}
	p.profile.Total = total
	p.profile.Self[p.function] += n
	return nil
}
