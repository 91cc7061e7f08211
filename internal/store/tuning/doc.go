// Package tuning has the documents of what needs no change of source: settings, rewritten source, toolchains, features
// switched off.
package tuning
