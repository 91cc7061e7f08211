package holders

import (
	"reflect"
	"strings"

	"github.com/gohone/hone/prof/gotypes"
)

// locals are the variables in a frame.
func (h *heap) locals(c *call) []gotypes.Local {
	if h.program == nil {
		return nil
	}
	at := [2]uint64{c.entry - h.slide, c.pc - 1 - h.slide}
	all, ok := h.variables[at]
	if !ok {
		all = h.program.Locals(at[0], at[1])
		h.variables[at] = all
	}
	return all
}

// localAt is the variable at an offset from the end of a frame: over 0 are arguments.
func (h *heap) localAt(c *call, from int64) (gotypes.Local, bool) {
	for _, l := range h.locals(c) {
		if from >= l.Frame && uint64(from-l.Frame) < l.Size {
			return l, true
		}
	}
	return gotypes.Local{}, false
}

// stepOfFrame says what a frame refers to at an offset.
func (h *heap) stepOfFrame(c *call, at uint64) step {
	if s, ok := h.stepOfLocal(c, int64(at)-int64(c.size)); ok {
		return s
	}
	return step{dynamic: true}
}

// stepOfLocal says what the variable at an offset from the end of a frame refers to.
func (h *heap) stepOfLocal(c *call, from int64) (s step, ok bool) {
	l, ok := h.localAt(c, from)
	if !ok {
		return s, false
	}
	slot := l.Type.At(uint64(from-l.Frame) + l.Offset)
	name := l.Name
	// Go 1.27 takes slices apart
	if ofSlice, ok := strings.CutSuffix(name, ".ptr"); ok && slot.Type != nil && slot.Type.Kind == reflect.Pointer {
		name = ofSlice
		slot.Type = h.types.sliceOf(slot.Type.Elem)
	}
	s = h.types.target(slot)
	if slot.Path != "" {
		name += "." + slot.Path
	}
	file := ""
	if h.program != nil {
		file, _ = h.program.Line(c.entry - h.slide)
	}
	s.label = h.labels.number(typed(label{kind: local, part: name, file: file, line: l.Line}, slot.Shown()))
	return s, true
}
