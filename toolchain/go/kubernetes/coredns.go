package main

import (
	"github.com/coredns/coredns/coremain"

	// Only what a cluster's own names need: no forwarding, because pods reach nothing outside.
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/health"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	_ "github.com/coredns/coredns/plugin/ready"
)

func runCoreDNS() { coremain.Run() }
