package memory

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Mapping is a range of addresses of a process with what of it is resident; sizes are bytes.
type Mapping struct {
	Start, End uint64
	// Perms are four letters such as rw-p, where p is private and s is shared.
	Perms string
	Inode uint64
	// Path is a file, or a name in brackets; empty for anonymous memory without a name.
	Path string
	// Resident is the part in memory. Anonymous belongs to no file, Clean can be read again from one.
	Resident, Anonymous, Clean uint64
	// Lazy was given back, and is resident until the kernel needs it. Huge is in huge pages.
	Lazy, Huge uint64
	Swapped    uint64
}

func (m Mapping) private() bool { return strings.HasSuffix(m.Perms, "p") }

// unnamed says that nothing but its address tells what it is.
func (m Mapping) unnamed() bool { return m.Inode == 0 && m.Path == "" && m.private() }

// mostMappings bounds a file of smaps: the kernel allows 65,530 mappings (vm.max_map_count) unless told otherwise.
const mostMappings = 1 << 20

// ParseSmaps reads /proc/PID/smaps: a line for each mapping, as in /proc/PID/maps, and lines "Key: N kB" of it.
func ParseSmaps(r io.Reader) (all []Mapping, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 64<<10) // a path has 4 kB at most
	for lines.Scan() {
		key, value, found := bytes.Cut(lines.Bytes(), []byte(": "))
		if found && !bytes.ContainsAny(key, " /") {
			if len(all) > 0 {
				all[len(all)-1].set(string(key), value)
			}
			continue
		}
		m, err := parseMapping(lines.Text())
		if err != nil {
			return nil, err
		}
		if n := len(all); n > 0 && m.Start < all[n-1].End {
			return nil, fmt.Errorf("read mappings: %x is not above the one before", m.Start)
		}
		if len(all) == mostMappings {
			return nil, fmt.Errorf("read mappings: over %d", mostMappings)
		}
		all = append(all, m)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read mappings: %w", err)
	}
	return all, nil
}

// parseMapping reads "START-END PERMS OFFSET DEVICE INODE   PATH"; a path may have spaces.
func parseMapping(line string) (m Mapping, err error) {
	rest := line
	var fields [5]string
	for i := range fields {
		fields[i], rest, _ = strings.Cut(strings.TrimLeft(rest, " "), " ")
	}
	from, to, _ := strings.Cut(fields[0], "-")
	start, errStart := strconv.ParseUint(from, 16, 64)
	end, errEnd := strconv.ParseUint(to, 16, 64)
	inode, errInode := strconv.ParseUint(fields[4], 10, 64)
	if errStart != nil || errEnd != nil || errInode != nil || end < start || len(fields[1]) != 4 {
		return m, fmt.Errorf("read mappings: %.80q is none", line)
	}
	return Mapping{Start: start, End: end, Perms: fields[1], Inode: inode, Path: strings.TrimLeft(rest, " ")}, nil
}

// set keeps what one line says.
func (m *Mapping) set(key string, value []byte) {
	into := map[string]*uint64{"Rss": &m.Resident, "Anonymous": &m.Anonymous, "Private_Clean": &m.Clean,
		"Shared_Clean": &m.Clean, "LazyFree": &m.Lazy, "AnonHugePages": &m.Huge, "Swap": &m.Swapped}[key]
	if into == nil {
		return
	}
	number, _, _ := bytes.Cut(bytes.TrimSpace(value), []byte(" "))
	if kB, err := strconv.ParseUint(string(number), 10, 53); err == nil {
		*into += kB << 10
	}
}

// residentOf adds up what is resident.
func residentOf(all []Mapping) (sum uint64) {
	for _, m := range all {
		sum += m.Resident
	}
	return sum
}
