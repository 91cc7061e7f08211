// Package fileopens notes which of some files and directories are opened, by whatever process: inotify(7) on Linux.
package fileopens
