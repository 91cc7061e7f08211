package deploy

import (
	"net/netip"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// confined wants that a pod has no rights that it does not need, and no more of its node than it was given.
func confined(t *testing.T, name string, pod corev1.PodSpec) {
	t.Helper()
	is := func(p *bool, want bool) bool { return p != nil && *p == want }
	p := pod.SecurityContext
	if !is(pod.AutomountServiceAccountToken, false) || pod.HostNetwork || pod.HostPID || pod.HostIPC {
		t.Errorf("%s: the pod has a token of the cluster, or shares something with its node", name)
	}
	if p == nil || !is(p.RunAsNonRoot, true) || p.RunAsUser == nil || *p.RunAsUser == 0 || p.SeccompProfile == nil ||
		p.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
		t.Errorf("%s: the pod runs as root, or without the default seccomp profile: %+v", name, p)
	}
	for _, c := range pod.Containers {
		s := c.SecurityContext
		if s == nil || !is(s.AllowPrivilegeEscalation, false) || !is(s.ReadOnlyRootFilesystem, true) ||
			s.Privileged != nil {
			t.Errorf("%s: %s may get privileges, or write to its root: %+v", name, c.Name, s)
		}
		if s == nil || s.Capabilities == nil || len(s.Capabilities.Add) > 0 || len(s.Capabilities.Drop) != 1 ||
			s.Capabilities.Drop[0] != "ALL" {
			t.Errorf("%s: %s keeps capabilities", name, c.Name)
		}
		if c.Resources.Limits.Cpu().IsZero() || c.Resources.Limits.Memory().IsZero() {
			t.Errorf("%s: %s has no bounds of CPU and memory", name, c.Name)
		}
	}
}

// narrow wants that each --allow names one address with its port.
func narrow(t *testing.T, args []string) {
	t.Helper()
	seen := false
	for _, arg := range args {
		if allowed, is := strings.CutPrefix(arg, "--allow="); is {
			seen = true
			if _, err := netip.ParseAddrPort(allowed); err != nil {
				t.Errorf("%s is more than one address with its port: %v", arg, err)
			}
		}
	}
	if !seen {
		t.Error("no --allow")
	}
}
