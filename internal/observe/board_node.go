package observe

import "github.com/grafana/grafana-foundation-sdk/go/units"

// nodeBoard watches the machine by node_exporter's names. The question is always the
// same: was the machine itself the limit, or another program on it?
func nodeBoard() board {
	return board{
		uid:    "hone-node",
		title:  "hone: machine",
		about:  "The machine by node_exporter's metrics: what else may have slowed a measurement down.",
		anchor: "node_load1",
		job:    jobNode,
		rows: []row{
			{"Processors", []panel{
				{
					title: "CPU time by mode", unit: units.PercentUnit, label: "share of all CPUs", shape: stack,
					about:   "Where the processors' time goes, all of them together; the rest is idle. steal is time that the host gave to others: with it no figure of this machine can be trusted. softirq is mostly the network's work.",
					series:  []string{"user", "system", "softirq", "steal", "iowait", "irq", "nice"},
					queries: []query{{`avg by (mode) (rate(node_cpu_seconds_total{@,mode!="idle"}[@]))`, "{{mode}}"}},
				},
				{
					title: "Busy share of each CPU", unit: units.PercentUnit, label: "share",
					about:   "One processor at 100 % beside idle ones is work that does not spread: one goroutine, one locked thread, or one queue of the network card.",
					queries: []query{{`1 - sum by (cpu) (rate(node_cpu_seconds_total{@,mode="idle"}[@]))`, "CPU {{cpu}}"}},
				},
				{
					title: "Stolen by the host", unit: units.PercentUnit, label: "share of all CPUs", limit: stealLimit,
					about:   "Time in which this machine had work and the host ran something else. Measurements taken above the dashed line are worth little; the rule HostStealsTime warns there.",
					queries: []query{{stealShare(`{@,mode="steal"}`, `[@]`), "steal"}},
				},
				{
					title: "Load", unit: units.Short, label: "tasks",
					about: "Tasks that run or wait to, or wait for a disk, averaged by the kernel over 1, 5 and 15 minutes. Above the number of CPUs something waits.",
					queries: []query{
						{`node_load1{@}`, "1 min"}, {`node_load5{@}`, "5 min"}, {`node_load15{@}`, "15 min"},
						{`count(node_cpu_seconds_total{@,mode="idle"})`, "CPUs"},
					},
				},
				{
					title: "Tasks now", unit: units.Short, label: "tasks",
					about:   "Tasks that are running or ready to, and tasks that wait for a disk, at the moment of the scrape.",
					queries: []query{{`node_procs_running{@}`, "running"}, {`node_procs_blocked{@}`, "blocked"}},
				},
				{
					title: "Context switches and interrupts", unit: units.CountsPerSecond, label: "per second",
					about: "Of all programs together. A server that switches several times per request sleeps and wakes too often; answers in batches lower both.",
					queries: []query{
						{`rate(node_context_switches_total{@}[@])`, "context switches"},
						{`rate(node_intr_total{@}[@])`, "interrupts"},
					},
				},
			}},
			{"Pressure", []panel{
				{
					title: "Something waited", unit: units.PercentUnit, label: "share of time",
					about: "Share of the time in which at least one task waited for a processor, for memory or for a disk (the kernel's pressure stall information). It sees a shortage that averages of use hide. Empty where the kernel has no PSI.",
					queries: []query{
						{`rate(node_pressure_cpu_waiting_seconds_total{@}[@])`, "CPU"},
						{`rate(node_pressure_memory_waiting_seconds_total{@}[@])`, "memory"},
						{`rate(node_pressure_io_waiting_seconds_total{@}[@])`, "I/O"},
					},
				},
				{
					title: "Everything waited", unit: units.PercentUnit, label: "share of time",
					about: "Share of the time in which all tasks that had work waited at once. For memory, anything above zero is thrashing.",
					queries: []query{
						{`rate(node_pressure_memory_stalled_seconds_total{@}[@])`, "memory"},
						{`rate(node_pressure_io_stalled_seconds_total{@}[@])`, "I/O"},
					},
				},
				{
					title: "Page faults from disk", unit: units.CountsPerSecond, label: "faults/s",
					about:   "Pages that had to be read from a disk. At the start of a program it is normal; later it means that memory is short.",
					queries: []query{{`rate(node_vmstat_pgmajfault{@}[@])`, "major faults"}},
				},
			}},
			{"Memory", []panel{
				{
					title: "Memory", unit: units.BytesIEC, label: "bytes", shape: stack,
					about: "used is what programs and the kernel cannot give back at once; reclaimable is caches that they can; free is not used at all. The sum is the machine's memory.",
					queries: []query{
						{`node_memory_MemTotal_bytes{@} - node_memory_MemAvailable_bytes{@}`, "used"},
						{`node_memory_MemAvailable_bytes{@} - node_memory_MemFree_bytes{@}`, "reclaimable"},
						{`node_memory_MemFree_bytes{@}`, "free"},
					},
				},
				{
					title: "Caches", unit: units.BytesIEC, label: "bytes",
					about:   "Files in memory, and the kernel's buffers. Cached falls when programs need the memory; reads then go to the disk.",
					queries: []query{{`node_memory_Cached_bytes{@}`, "cached files"}, {`node_memory_Buffers_bytes{@}`, "buffers"}},
				},
				{
					title: "Swap used", unit: units.BytesIEC, label: "bytes",
					about:   "Memory that was moved to a disk. A Go heap that is swapped makes every collection slow, since the collector touches all of it.",
					queries: []query{{`node_memory_SwapTotal_bytes{@} - node_memory_SwapFree_bytes{@}`, "used"}},
				},
			}},
			{"Disks", []panel{
				{
					title: "Bytes read and written", unit: units.BytesPerSecondIEC, label: "bytes/s",
					about: "Of all disks together. A server that writes no files but logs should show its log here and nothing else.",
					queries: []query{
						{`sum(rate(node_disk_read_bytes_total{@}[@]))`, "read"},
						{`sum(rate(node_disk_written_bytes_total{@}[@]))`, "written"},
					},
				},
				{
					title: "Busy share of each disk", unit: units.PercentUnit, label: "share of time",
					about:   "Share of the time in which the disk had something to do. 100 % is a limit for a single spinning disk only; others work on many requests at once.",
					queries: []query{{`rate(node_disk_io_time_seconds_total{@}[@])`, "{{device}}"}},
				},
				{
					title: "File systems", unit: units.PercentUnit, label: "share used", limit: 0.9,
					about:   "Share of each file system that ordinary users have used up. Prometheus' own storage grows here, up to the limit in compose.yaml.",
					queries: []query{{`1 - node_filesystem_avail_bytes{@,fstype!~"tmpfs|ramfs|squashfs"} / node_filesystem_size_bytes{@,fstype!~"tmpfs|ramfs|squashfs"}`, "{{mountpoint}}"}},
				},
			}},
			{"Network", []panel{
				{
					title: "Received", unit: units.BytesPerSecondIEC, label: "bytes/s",
					about:   "By interface. lo is the machine talking to itself: load from this machine shows there, and both directions of it are the same bytes.",
					series:  []string{"lo", "eth0"},
					queries: []query{{`rate(node_network_receive_bytes_total{@,device!~"veth.*|br-.*|docker.*"}[@])`, "{{device}}"}},
				},
				{
					title: "Sent", unit: units.BytesPerSecondIEC, label: "bytes/s",
					about:   "By interface. A flat top at the speed of the card is a limit that no change to the program moves.",
					series:  []string{"lo", "eth0"},
					queries: []query{{`rate(node_network_transmit_bytes_total{@,device!~"veth.*|br-.*|docker.*"}[@])`, "{{device}}"}},
				},
				{
					title: "Trouble on the way", unit: units.CountsPerSecond, label: "per second",
					about: "Packets dropped or broken at the interfaces, and TCP segments sent again. One that is sent again can cost its request 200 ms and more, the least time that Linux waits for an acknowledgement: look here when a far tail of latencies has steps of that size.",
					queries: []query{
						{`sum(rate(node_network_receive_drop_total{@}[@]) + rate(node_network_transmit_drop_total{@}[@]))`, "dropped"},
						{`sum(rate(node_network_receive_errs_total{@}[@]) + rate(node_network_transmit_errs_total{@}[@]))`, "errors"},
						{`rate(node_netstat_Tcp_RetransSegs{@}[@])`, "TCP sent again"},
					},
				},
				{
					title: "TCP sockets", unit: units.Short, label: "sockets",
					about: "Open connections, and closed ones that still hold their port for a minute (time wait). Tens of thousands of the latter are clients that open a connection per request.",
					queries: []query{
						{`node_sockstat_TCP_inuse{@}`, "in use"},
						{`node_sockstat_TCP_tw{@}`, "time wait"},
					},
				},
			}},
		},
	}
}
