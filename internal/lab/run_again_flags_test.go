package lab

import (
	"reflect"
	"slices"
	"testing"

	"github.com/gohone/hone/internal/protocol"
)

// Every option of a protocol is a flag of the command that measures again, or there is no such command: one that is left
// out would be another load.
func TestEveryOptionIsAFlagOfTheCommandThatMeasuresAgain(t *testing.T) {
	plain, _ := protocolFlags(protocol.Options{})
	var o protocol.Options
	eachOption(reflect.ValueOf(&o).Elem(), "", func(name string, option reflect.Value) {
		switch name {
		case ".Order", ".Weight": // they mean nothing without Requests, which are refused, and without Mix
			return
		case ".TLS.PEM", ".Calls.Descriptors": // contents of files on their way to an agent (SelfContained); a run has the files
			return
		}
		option.Set(someValue(option.Type()))
		if words, ok := protocolFlags(o); ok && slices.Equal(words, plain) {
			t.Errorf("the command says nothing of the option %s", name[1:])
		}
		option.SetZero()
	})
}

// eachOption calls f for each field that is no struct, with its path.
func eachOption(v reflect.Value, path string, f func(name string, option reflect.Value)) {
	for i := range v.NumField() {
		name := path + "." + v.Type().Field(i).Name
		if v.Field(i).Kind() == reflect.Struct {
			eachOption(v.Field(i), name, f)
			continue
		}
		f(name, v.Field(i))
	}
}

// someValue is a value of a type that is not its zero value.
func someValue(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.String:
		v.SetString("x")
	case reflect.Uint8:
		v.SetUint(7)
	case reflect.Slice:
		v = reflect.MakeSlice(t, 1, 1)
		if e := t.Elem().Kind(); e == reflect.String || e == reflect.Uint8 {
			v.Index(0).Set(someValue(t.Elem()))
		}
	case reflect.Pointer:
		v = reflect.New(t.Elem())
	}
	return v
}
