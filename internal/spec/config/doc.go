// Package config reads hone.yaml: what is measured, under which named loads, in which
// variants, and against which limits. It also finds what a repository has that could be
// measured (Discover, Survey), and drafts the file.
//
// Reading executes nothing and follows nothing: anchors, aliases, merge keys, tags and
// further documents are refused, size and nesting are bounded before the parser sees
// the text. File.Commands lists what a file makes hone execute; package trust decides whether
// hone may.
package config
