// Package page turns what the ledger keeps of runs and comparisons into pages: everything that the report and the web
// UI show, as data. Each number stands beside its text, so that a browser formats nothing and prints what the terminal
// prints.
//
// The types of this package, and those of package model that they have, are the JSON of hone's API (docs/api.md).
// ui/src/model.ts declares them for the browser; a test writes that file from the types, and fails if it is out of
// date.
package page
