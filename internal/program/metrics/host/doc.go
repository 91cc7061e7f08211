// Package host measures the machine under the names of Prometheus' node_exporter, so that
// its dashboards and queries work on what hone records.
//
// Names, types, labels, filters and meanings are those of node_exporter v1.12.1 in its
// default settings (https://github.com/prometheus/node_exporter, the directory collector);
// the sources have its names, too, in node_scrape_collector_success{collector}. Of its
// collectors there are cpu, stat, loadavg, meminfo, vmstat, diskstats, filesystem,
// netdev, netstat, sockstat, softnet, filefd, pressure, schedstat, uname and time: what
// tells a busy machine from a quiet one, and what the dashboard "Node Exporter Full" is
// mostly made of.
//
// Four things differ:
//
//   - meminfo shows every field of /proc/meminfo, as node_exporter did up to 1.8. Since then
//     it knows a list of fields, which lacks KReclaimable, for one.
//   - filesystem leaves out network file systems and programs that pose as file systems
//     (FUSE), shows only the topmost of several mounts on one point, and sees the mounts of
//     hone's own mount namespace.
//   - cpu leaves out node_cpu_info, _online and _isolated, diskstats node_disk_info and what
//     udev knows: none of them moves during a measurement.
//   - netdev reads /proc/net/dev instead of netlink, which has no
//     node_network_receive_nohandler_total.
//
// A scrape is meant to take place once a second beside a measurement. So nothing of it
// grows with the number of processes, and sources whose reading can take long or disturb
// others (clock frequencies of many CPUs, properties of network devices) are not among them.
package host
