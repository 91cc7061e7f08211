package objfile

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

// Archive is the archive of a package.
type Archive struct {
	// Objects are its object files: that of the Go files first, then those of its assembly files.
	Objects []*Object
	// Foreign says that it has members of another compiler, or marks of cgo.
	Foreign bool
}

const (
	archiveMagic = "!<arch>\n"
	// memberHeader is the length of the line before a member, whose size stands in the columns sizeFrom to sizeTo.
	memberHeader, sizeFrom, sizeTo = 60, 48, 58
	exportMember                   = "__.PKGDEF"
	// objectText begins the text before the symbols of a Go object, objectTextEnd ends it.
	objectText, objectTextEnd = "go object ", "\n!\n"
	// cgoText begins the directives of cgo in that text.
	cgoText = "\n$$  // cgo"
)

// ReadArchive reads an archive. The objects keep its bytes, which may not change.
func ReadArchive(data []byte) (*Archive, error) {
	rest, found := bytes.CutPrefix(data, []byte(archiveMagic))
	if !found {
		return nil, errors.New("not an archive")
	}
	a := &Archive{}
	for len(rest) > 0 {
		if len(rest) < memberHeader {
			return nil, errors.New("archive ends in the header of a member")
		}
		size, err := strconv.Atoi(string(bytes.TrimSpace(rest[sizeFrom:sizeTo])))
		if err != nil || size < 0 || size > len(rest)-memberHeader {
			return nil, fmt.Errorf("member of an archive has size %q", rest[sizeFrom:sizeTo])
		}
		name, member := string(bytes.TrimRight(rest[:16], " /")), rest[memberHeader:memberHeader+size]
		rest = rest[memberHeader+size:]
		if size%2 == 1 && len(rest) > 0 {
			rest = rest[1:] // members begin at even places
		}
		if name == exportMember {
			continue
		}
		if err := a.add(member); err != nil {
			return nil, fmt.Errorf("read member %q: %w", name, err)
		}
	}
	return a, nil
}

func (a *Archive) add(member []byte) error {
	if !bytes.HasPrefix(member, []byte(objectText)) {
		a.Foreign = true
		return nil
	}
	text, symbols, found := bytes.Cut(member, []byte(objectTextEnd))
	if !found {
		return errors.New("the text of a Go object has no end")
	}
	a.Foreign = a.Foreign || bytes.Contains(text, []byte(cgoText))
	o, err := readObject(symbols)
	if err != nil {
		return err
	}
	a.Objects = append(a.Objects, o)
	return nil
}
