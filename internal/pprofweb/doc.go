// Package pprofweb serves the pages of google/pprof's web UI for the profiles of a run, all
// of them from one server, to a browser on this machine only.
//
// pprof's own server is made for a developer who trusts the profile and the network. Here
// neither is: its handlers are mounted behind checks of Host, Origin and Sec-Fetch-Site
// (guard.go), see the profile alone and neither files, nor the network, nor a program
// (plugins.go), and those that write the user's settings are left out. Source is shown by a
// page of hone's own (source.go), since pprof's reads whatever file a profile names.
package pprofweb
