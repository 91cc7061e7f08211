// Package paths has small questions about files and directories.
package paths
