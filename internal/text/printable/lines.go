package printable

import (
	"reflect"
	"strings"
)

// Indented is Text for a place that has several lines, such as what a compiler wrote: each but the first is indented,
// so that none passes for a line of hone's own.
func Indented(text string) string {
	return Text(strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  "))
}

// tag is the key of a field's tag, several its value, for a text that may have several lines: `printable:"lines"`.
const tag, several = "printable", "lines"

// Document returns a document for a report of lines: each text in it, at any depth, is one line (Line), or several of
// which only the first begins a line (Indented) where its field's tag is `printable:"lines"`. What is clean is shared
// with the document that was given, which is not changed.
//
// It is the place where text of strangers passes on its way to a report: of runs that others made, agents, servers,
// programs and repositories. So a report need not ask of each text where it came from.
func Document[T any](document T) T {
	c := cleaner{texts: map[reflect.Type]bool{}}
	v := reflect.ValueOf(&document).Elem()
	if clean, changed := c.value(v, false, 0); changed {
		v.Set(clean)
	}
	return document
}

// cleaner knows which types can hold a text.
type cleaner struct{ texts map[reflect.Type]bool }

// deepest bounds the depth of a document: one that refers to itself has no end.
const deepest = 100

// value returns what stands for v in a clean document, and whether that is another value.
func (c *cleaner) value(v reflect.Value, lines bool, depth int) (clean reflect.Value, changed bool) {
	if depth > deepest || !c.holdsText(v.Type()) {
		return v, false
	}
	switch v.Kind() {
	case reflect.String:
		return text(v, lines)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v, false
		}
		inner, changed := c.value(v.Elem(), lines, depth+1)
		if !changed {
			return v, false
		}
		if v.Kind() == reflect.Interface {
			return inner, true
		}
		to := reflect.New(v.Type().Elem())
		to.Elem().Set(inner)
		return to, true
	case reflect.Struct:
		return c.fields(v, depth)
	case reflect.Slice, reflect.Array:
		return c.elements(v, lines, depth)
	case reflect.Map:
		return c.entries(v, lines, depth)
	}
	return v, false
}

func text(v reflect.Value, lines bool) (clean reflect.Value, changed bool) {
	was := v.String()
	now := Line(was)
	if lines {
		now = Indented(was)
	}
	if now == was {
		return v, false
	}
	to := reflect.New(v.Type()).Elem()
	to.SetString(now)
	return to, true
}

func (c *cleaner) fields(v reflect.Value, depth int) (clean reflect.Value, changed bool) {
	clean = v
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		field, other := c.value(v.Field(i), f.Tag.Get(tag) == several, depth+1)
		if !other {
			continue
		}
		if !changed {
			clean, changed = copied(v), true
		}
		clean.Field(i).Set(field)
	}
	return clean, changed
}

func (c *cleaner) elements(v reflect.Value, lines bool, depth int) (clean reflect.Value, changed bool) {
	clean = v
	for i := range v.Len() {
		element, other := c.value(v.Index(i), lines, depth+1)
		if !other {
			continue
		}
		if !changed {
			clean, changed = copied(v), true
		}
		clean.Index(i).Set(element)
	}
	return clean, changed
}

func (c *cleaner) entries(v reflect.Value, lines bool, depth int) (clean reflect.Value, changed bool) {
	clean = reflect.MakeMapWithSize(v.Type(), v.Len())
	for all := v.MapRange(); all.Next(); {
		key, otherKey := c.value(all.Key(), false, depth+1)
		value, otherValue := c.value(all.Value(), lines, depth+1)
		changed = changed || otherKey || otherValue
		clean.SetMapIndex(key, value)
	}
	if !changed {
		return v, false
	}
	return clean, true
}

// copied is a value that can be changed without a change of v: its elements are its own, what they refer to is not.
func copied(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Slice {
		to := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(to, v)
		return to
	}
	to := reflect.New(v.Type()).Elem()
	to.Set(v)
	return to
}

// holdsText says whether a value of a type can hold a text: histograms and samples, which are long, are passed over.
func (c *cleaner) holdsText(t reflect.Type) bool {
	if known, ok := c.texts[t]; ok {
		return known
	}
	c.texts[t] = true // while it is looked at: a type may contain itself
	holds := false
	switch t.Kind() {
	case reflect.String, reflect.Interface:
		holds = true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		holds = c.holdsText(t.Elem())
	case reflect.Map:
		holds = c.holdsText(t.Key()) || c.holdsText(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && c.holdsText(f.Type) {
				holds = true
			}
		}
	}
	c.texts[t] = holds
	return holds
}
