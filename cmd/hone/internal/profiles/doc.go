// Package profiles is hone profile and the commands below it.
package profiles
