// Package config reads hone.yaml: what is measured, under which named loads, in which
// variants, and against which limits.
//
// Reading executes nothing and follows nothing: anchors, aliases, merge keys, tags and
// further documents are refused, size and nesting are bounded before the parser sees
// the text. What a file would have hone execute is listed by File.Commands; whether it
// may is the matter of package trust.
package config
