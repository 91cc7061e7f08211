// Package shop has what the guide to benchmarks makes faster.
package shop

// Parse returns the names of a list, which commas separate.
func Parse(list string) []string {
	var names []string
	name := ""
	for _, c := range list {
		if c == ',' {
			names = append(names, name)
			name = ""
			continue
		}
		name += string(c)
	}
	return append(names, name)
}
