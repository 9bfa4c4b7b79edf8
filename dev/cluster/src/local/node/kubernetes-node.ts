import { fileURLToPath } from "node:url";
import { type GoTool } from "@pulumi-static-export/toolchain";

/** A program with all Kubernetes components for one node, CoreDNS and kubectl. */
export const kubernetesNode: GoTool = {
    name: "kubernetes-node",
    // From 1.35 on, the kubelet refuses cgroup v1 by default.
    version: "1.34.2",
    sources: fileURLToPath(new URL("../../../go/kubernetes", import.meta.url)),
    package: ".",
    variables: {
        "k8s.io/component-base/version.gitVersion": "v{version}",
        "k8s.io/component-base/version.gitMajor": "1",
        "k8s.io/component-base/version.gitMinor": "34",
    },
    typicalMinutes: 4.5,
};
