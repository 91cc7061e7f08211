// Package pprofweb serves the pages of google/pprof's web UI for the profiles of a run, all
// of them from one server, to a browser on this machine only.
//
// pprof's own server is made for a developer who trusts the profile and the network. This
// package trusts neither. It mounts pprof's handlers behind checks of Host, Origin and
// Sec-Fetch-Site (guard.go). They see the profile only: no files, no network, no program
// (plugins.go). Handlers that write the user's settings are left out. Source is shown by a
// page of hone's own (source.go), since pprof's page reads any file that a profile names.
package pprofweb
