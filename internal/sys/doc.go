// Package sys is a room: what hone asks of the operating system and of git: files and directories that belong to it,
// locks, sockets, the machine, servers on loopback.
//
// Each package is small and knows nothing of measurements. What is Linux only has a file for other systems next to
// it.
//
//   - affinity: the CPUs that processes may run on
//   - cgroup: control groups of Linux, both versions: a group with limits of CPU time and memory, and its counters
//   - diskroom: disk space reserved for what will be written
//   - epoll: raw socket calls, a poller, sleeps on time: for event loops (Linux); services use it too
//   - fileopens: which of some files are opened, by whatever process (Linux)
//   - filelock: one lock on files between processes
//   - fileowner: the owner of a file
//   - git: git in repositories that are not trusted: nothing that they name is executed
//   - machine: the machine, the CPU time that its host took from it, and for how long threads of a program got no CPU
//   - outfile: files that the user names: written whole or not at all, never through a link
//   - paths: small questions about files and directories
//   - pageserver: an HTTP server for pages on this machine: limits, headers, an end with its context
//   - preflight: files, ports, sources, memory: needed against available
//   - processes: the processes of this machine, and those below one of them
//   - sameorigin: requests of other sites' pages, and of other machines: the token
//   - sockets: TCP sockets of this machine and who holds them, from /proc
//   - storedir: directories that belong to hone, opened so that no link or pipe in them is followed
//   - tempdir: hone's temporary directories: a marker under lock, and the sweep of leftovers
//   - tlsmem: crypto/tls for event loops: a client that gives its socket away after the handshake
package sys
