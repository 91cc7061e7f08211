package host

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/prometheus/common/model"
)

// family are the metrics of a file that names its fields itself.
type family struct {
	prefix string
	wanted *regexp.Regexp
	// names are the metrics of the fields seen so far, "" for those that are not wanted: the
	// pattern is matched once for each field, not once a second.
	names map[string]string
}

// newFamily takes the fields that match the pattern.
func newFamily(prefix, pattern string) *family {
	return &family{prefix: prefix, wanted: regexp.MustCompile(pattern), names: map[string]string{}}
}

// name returns the name of a field's metric, "" if it is not wanted.
func (f *family) name(field string) string {
	name, known := f.names[field]
	if !known {
		name = f.prefix + field
		if !f.wanted.MatchString(field) || !model.LegacyValidation.IsValidMetricName(name) {
			name = ""
		}
		f.names[strings.Clone(field)] = name // field is a part of a whole file
	}
	return name
}

// readFields reads a file and has parse take it apart. each gets the fields in order.
func readFields(path string, parse func(text string, each func(field, value string) error) error,
	each func(field string, value float64)) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	err = parse(string(text), func(field, value string) error {
		number, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("field %s: %w", field, err)
		}
		each(field, number)
		return nil
	})
	if err != nil {
		return fmt.Errorf("parse %s: %w", path, err)
	}
	return nil
}

// parseColumns parses lines of a name and a value, as in /proc/vmstat and /proc/net/snmp6.
func parseColumns(text string, each func(field, value string) error) error {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch len(words) {
		case 0:
			continue
		case 2:
		default:
			return fmt.Errorf("want a name and a value in %q", strings.TrimSpace(line))
		}
		if err := each(words[0], words[1]); err != nil {
			return err
		}
	}
	return nil
}

// parseMemory parses /proc/meminfo: "Active(anon):   1548 kB" is the field
// Active_anon_bytes, what has no unit is a number of pages. Values are passed on in bytes.
func parseMemory(text string, each func(field, value string) error) error {
	for line := range strings.Lines(text) {
		field, rest, ok := strings.Cut(line, ":")
		words := strings.Fields(rest)
		if !ok || len(words) == 0 || len(words) > 2 || len(words) == 2 && words[1] != "kB" {
			return fmt.Errorf("want \"name: number kB\", not %q", strings.TrimSpace(line))
		}
		field = strings.ReplaceAll(strings.ReplaceAll(field, "(", "_"), ")", "")
		if len(words) == 1 {
			if err := each(field, words[0]); err != nil {
				return err
			}
			continue
		}
		kB, err := strconv.ParseUint(words[0], 10, 54) // so that it is a number of bytes, too
		if err != nil {
			return fmt.Errorf("field %s: %w", field, err)
		}
		if err := each(field+"_bytes", strconv.FormatUint(kB<<10, 10)); err != nil {
			return err
		}
	}
	return nil
}

// parsePairs parses pairs of lines, names above and values below, each behind the protocol
// that they are of, as in /proc/net/snmp and /proc/net/netstat. The fields are
// "Tcp_InSegs".
func parsePairs(text string, each func(field, value string) error) error {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if text == "" {
		return nil
	}
	if len(lines)%2 != 0 {
		return errors.New("want pairs of lines")
	}
	for i := 0; i < len(lines); i += 2 {
		names, values := strings.Fields(lines[i]), strings.Fields(lines[i+1])
		if len(names) == 0 || len(names) != len(values) || names[0] != values[0] || !strings.HasSuffix(names[0], ":") {
			return fmt.Errorf("line %d: the values do not match the names", i+2)
		}
		protocol := strings.TrimSuffix(names[0], ":")
		for j := 1; j < len(names); j++ {
			if err := each(protocol+"_"+names[j], values[j]); err != nil {
				return err
			}
		}
	}
	return nil
}
