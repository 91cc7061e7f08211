// Package commits is what is shown of the search for a commit: its steps, and which commit it is.
package commits
