package sources

import (
	"fmt"
	"strings"
	"unicode"
)

// vendorDir holds the dependencies of the main module, if go mod vendor has put them there.
const vendorDir = "vendor/"

// vendorList says which modules those are.
const vendorList = vendorDir + "modules.txt"

// inVendor looks for a file of a dependency, whose path holds MODULE@VERSION, in the main module's directory vendor,
// if that has the same version.
func (f *Finder) inVendor(name string) ([]byte, error) {
	module, rest, found := strings.Cut(name, "@")
	if _, below, cached := strings.Cut(module, "/pkg/mod/"); cached {
		module = unescape(below)
	}
	version, file, within := strings.Cut(rest, "/")
	if !found || !within || strings.HasPrefix(module, "/") || module+"@" == toolchainModule {
		return nil, errElsewhere
	}
	list, err := f.own(vendorList)
	if err != nil {
		return nil, errElsewhere // nothing is vendored
	}
	dir, others := vendoredAs(string(list), module, version)
	switch {
	case dir != "":
		return f.own(vendorDir + dir + "/" + file)
	case len(others) > 0:
		return nil, fmt.Errorf("%s: ./vendor has version %s of %s", name, others[0], module)
	}
	return nil, errElsewhere
}

// vendoredAs is the directory of a module below vendor, or the other versions of it that are there. The lines of
// vendor/modules.txt are "# MODULE VERSION", and "# MODULE VERSION => REPLACEMENT VERSION" with a replace directive:
// the directory is called after the module, the files after one of the two.
func vendoredAs(list, module, version string) (dir string, others []string) {
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "#" {
			continue
		}
		for i := 1; i+1 < len(words); i += 3 {
			switch {
			case words[i] == module && words[i+1] == version:
				return words[1], nil
			case words[i] == module:
				others = append(others, words[i+1])
			}
		}
	}
	return "", others
}

// unescape is the opposite of escape.
func unescape(module string) string {
	var b strings.Builder
	upper := false
	for _, r := range module {
		switch {
		case r == '!':
			upper = true
			continue
		case upper:
			r = unicode.ToUpper(r)
		}
		upper = false
		b.WriteRune(r)
	}
	return b.String()
}
