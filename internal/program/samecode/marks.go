package samecode

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/program/objfile"
)

// marks are the numbers of one Go version for what the walk treats in a way of its own.
type marks struct {
	useType, useIface, useIfaceMethod, useNamedMethod, methodOff, initOrder, addr, addrOff, callInd uint16

	text    map[uint8]bool // code
	scanned map[uint8]bool // variables in which the garbage collector looks for pointers
	debug   map[uint8]bool // for debuggers only

	variable map[uint8]bool // what code may change
}

// marksOf finds the numbers. A version that has marks for the linker which are not known here is an error.
func marksOf(t *objfile.Toolchain) (m marks, err error) {
	known := map[string]*uint16{
		"R_USETYPE": &m.useType, "R_USEIFACE": &m.useIface, "R_USEIFACEMETHOD": &m.useIfaceMethod,
		"R_USENAMEDMETHOD": &m.useNamedMethod,
		"R_METHODOFF":      &m.methodOff, "R_INITORDER": &m.initOrder, "R_ADDR": &m.addr, "R_ADDROFF": &m.addrOff,
		"R_CALLIND": &m.callInd,
	}
	for name, number := range known {
		n, ok := t.Relocs[name]
		if !ok {
			return m, fmt.Errorf("this Go version has no %s", name)
		}
		*number = n
	}
	for name := range t.Relocs {
		// R_USEFIELD is of an experiment, and leads to a field's name.
		if mark := strings.HasPrefix(name, "R_USE") ||
			strings.HasPrefix(name, "R_METHOD"); mark && known[name] == nil && name != "R_USEFIELD" {
			return m, fmt.Errorf("this Go version has %s, which is not known", name)
		}
	}
	m.text, m.scanned, m.debug = map[uint8]bool{}, map[uint8]bool{}, map[uint8]bool{}
	m.variable = map[uint8]bool{}
	for name, n := range t.Kinds {
		if strings.HasPrefix(name, "SDATA") || strings.HasPrefix(name, "SNOPTRDATA") || name == "SBSS" ||
			name == "SNOPTRBSS" {
			m.variable[n] = true
		}
		switch {
		case strings.HasPrefix(name, "SDWARF"):
			m.debug[n] = true
		case strings.HasPrefix(name, "STEXT"):
			m.text[n] = true
		case name == "SDATA" || name == "SDATAFIPS" || name == "SBSS":
			m.scanned[n] = true
		}
	}
	if len(m.text) == 0 || len(m.scanned) < 2 || len(m.debug) == 0 {
		return m, fmt.Errorf("this Go version has other kinds of symbols: %v", t.Kinds)
	}
	return m, nil
}

// weakAddress says that a relocation only fills in an address, if something else has its target linked.
func (m *marks) weakAddress(typ uint16) bool {
	return typ == m.addr|objfile.Weak || typ == m.addrOff|objfile.Weak
}
