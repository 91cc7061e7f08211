// Package service measures services under load: it starts the variants that package lab has built, loads them in
// slices, has their profiles taken, and decides and stores.
//
// The order is always the same: validate, build, open the ledger's rows, then per block start, warm up, measure in
// random order, then capture profiles, stop, judge, decide, store. Whatever goes wrong after the rows are open ends in
// a row that says so.
package service
