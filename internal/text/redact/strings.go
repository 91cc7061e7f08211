package redact

import "reflect"

// Strings returns a copy of a document in which every text went through change: also in
// fields that are added later. Keys of maps and unexported fields stay as they are; what
// the document shares with others is not touched.
func Strings[T any](document T, change func(string) string) T {
	out := reflect.New(reflect.TypeFor[T]()).Elem()
	out.Set(reflect.ValueOf(document))
	changeStrings(out, change)
	return out.Interface().(T)
}

// changeStrings changes what v, which can be set, holds, and copies what it points to.
func changeStrings(v reflect.Value, change func(string) string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(change(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				changeStrings(f, change)
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			fresh := reflect.New(v.Type().Elem())
			fresh.Elem().Set(v.Elem())
			changeStrings(fresh.Elem(), change)
			v.Set(fresh)
		}
	case reflect.Slice:
		if !v.IsNil() {
			fresh := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(fresh, v)
			for i := range fresh.Len() {
				changeStrings(fresh.Index(i), change)
			}
			v.Set(fresh)
		}
	case reflect.Map:
		if !v.IsNil() {
			fresh := reflect.MakeMapWithSize(v.Type(), v.Len())
			for key, value := range v.Seq2() {
				one := reflect.New(v.Type().Elem()).Elem()
				one.Set(value)
				changeStrings(one, change)
				fresh.SetMapIndex(key, one)
			}
			v.Set(fresh)
		}
	}
}
