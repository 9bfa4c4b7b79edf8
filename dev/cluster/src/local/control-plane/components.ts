import { isIPv6 } from "node:net";
import { hostInUrl } from "@pulumi-static-export/toolchain";
import { etcInside } from "./certificates.js";
import { type NetworkPlan } from "../network/network-plan.js";

export const componentNames = [
    "containerd",
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "kube-proxy",
    "coredns",
    "kube-router",
    "kubelet",
] as const;

export type ComponentName = (typeof componentNames)[number];

export const containerdSocket = "/run/containerd/containerd.sock";
export const apiServerPort = 6443;

/** Returns the path and the arguments of each component in the node. */
export function componentCommands(
    { nodeAddress, serviceCidr }: NetworkPlan,
    nodeName: string,
): Record<ComponentName, readonly string[]> {
    const kubernetes = "/opt/kubernetes/kubernetes-node";
    const etc = (file: string) => `${etcInside}/${file}`;
    return {
        containerd: ["containerd", "--config", etc("containerd.toml")],
        etcd: ["etcd", "--name=node", "--data-dir=/var/lib/etcd", "--log-level=warn", "--logger=zap"],
        "kube-apiserver": [
            ...[kubernetes, "kube-apiserver"],
            ...[
                `--bind-address=${nodeAddress}`,
                `--advertise-address=${nodeAddress}`,
                `--secure-port=${apiServerPort}`,
            ],
            "--etcd-servers=http://127.0.0.1:2379",
            `--service-cluster-ip-range=${serviceCidr}`,
            ...[`--tls-cert-file=${etc("api-server.crt")}`, `--tls-private-key-file=${etc("api-server.key")}`],
            ...[`--client-ca-file=${etc("ca.crt")}`, `--token-auth-file=${etc("tokens.csv")}`],
            `--kubelet-client-certificate=${etc("kubelet-client.crt")}`,
            `--kubelet-client-key=${etc("kubelet-client.key")}`,
            "--kubelet-preferred-address-types=InternalIP",
            "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
            `--service-account-key-file=${etc("service-accounts.pub")}`,
            `--service-account-signing-key-file=${etc("service-accounts.key")}`,
            ...["--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction"],
            "--allow-privileged=true",
        ],
        "kube-controller-manager": [
            ...[kubernetes, "kube-controller-manager", `--kubeconfig=${etc("kube-controller-manager.json")}`],
            "--bind-address=127.0.0.1",
            ...["--leader-elect=false", "--use-service-account-credentials=true"],
            ...[`--root-ca-file=${etc("ca.crt")}`, `--service-account-private-key-file=${etc("service-accounts.key")}`],
        ],
        "kube-scheduler": [
            ...[kubernetes, "kube-scheduler", `--kubeconfig=${etc("kube-scheduler.json")}`],
            ...["--bind-address=127.0.0.1", "--leader-elect=false"],
        ],
        "kube-proxy": [kubernetes, "kube-proxy", `--config=${etc("kube-proxy-configuration.json")}`],
        coredns: [kubernetes, "coredns", "-conf", etc("Corefile")],
        // Only enforces NetworkPolicies.
        "kube-router": [
            ...["/opt/kube-router/kube-router", `--kubeconfig=${etc("kube-router.json")}`],
            ...["--run-firewall=true", "--run-router=false", "--run-service-proxy=false", "--run-loadbalancer=false"],
            ...[`--hostname-override=${nodeName}`, `--service-cluster-ip-range=${serviceCidr}`],
            ...["--health-port=20244", "--metrics-port=0"],
            ...(isIPv6(nodeAddress) ? ["--enable-ipv4=false", "--enable-ipv6=true"] : []),
        ],
        kubelet: [
            ...[kubernetes, "kubelet", `--config=${etc("kubelet-configuration.json")}`],
            ...[`--kubeconfig=${etc("kubelet.json")}`, `--hostname-override=${nodeName}`, `--node-ip=${nodeAddress}`],
        ],
    };
}

/** Returns the components' configuration files, by their names in the node's `/etc/static-export`. */
export function configurationFiles(
    { hostInterface, nodeAddress, podCidr, podGateway }: NetworkPlan,
    nodeName: string,
    snapshotter: string,
): Record<string, string> {
    const reverseZone = isIPv6(nodeAddress) ? "ip6.arpa" : "in-addr.arpa";
    return {
        "containerd.toml": `version = 2
root = "/var/lib/containerd"
state = "/run/containerd"
disabled_plugins = ["io.containerd.internal.v1.opt"]

[grpc]
address = "${containerdSocket}"

[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "static-export.local/pause:1"
# Without CAP_SYS_RESOURCE, as in many virtual machines and containers, no process may lower its score.
restrict_oom_score_adj = true

[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "/usr/lib/cni"
conf_dir = "${etcInside}/cni"

[plugins."io.containerd.grpc.v1.cri".containerd]
snapshotter = "${snapshotter}"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
`,
        "cni/10-pods.conflist": json({
            cniVersion: "1.0.0",
            name: "pods",
            plugins: [
                {
                    // Uses no bridge: traffic between pods is routed, so that Services work without br_netfilter.
                    type: "ptp",
                    ipam: {
                        type: "host-local",
                        ranges: [[{ subnet: podCidr, gateway: podGateway }]],
                        routes: [{ dst: isIPv6(nodeAddress) ? "::/0" : "0.0.0.0/0" }],
                    },
                },
            ],
        }),
        "kubelet-configuration.json": json({
            apiVersion: "kubelet.config.k8s.io/v1beta1",
            kind: "KubeletConfiguration",
            address: nodeAddress,
            healthzBindAddress: "127.0.0.1",
            authentication: {
                anonymous: { enabled: false },
                webhook: { enabled: true },
                x509: { clientCAFile: `${etcInside}/ca.crt` },
            },
            authorization: { mode: "Webhook" },
            cgroupDriver: "cgroupfs",
            cgroupRoot: `/${hostInterface}`,
            containerRuntimeEndpoint: `unix://${containerdSocket}`,
            clusterDNS: [nodeAddress],
            clusterDomain: "cluster.local",
            resolvConf: "",
            failSwapOn: false,
            podPidsLimit: 1024,
            oomScoreAdj: 0,
            volumePluginDir: "/var/lib/kubelet/volume-plugins",
            // The host's disk is usually fuller than a node's disk, so its usage must not evict pods or remove images.
            evictionHard: {
                "memory.available": "50Mi",
                "nodefs.available": "0%",
                "nodefs.inodesFree": "0%",
                "imagefs.available": "0%",
                "imagefs.inodesFree": "0%",
            },
            imageGCHighThresholdPercent: 100,
        }),
        "kube-proxy-configuration.json": json({
            apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
            kind: "KubeProxyConfiguration",
            mode: "iptables",
            clusterCIDR: podCidr,
            hostnameOverride: nodeName,
            clientConnection: { kubeconfig: `${etcInside}/kube-proxy.json` },
            healthzBindAddress: `${hostInUrl(nodeAddress)}:10256`,
            metricsBindAddress: "127.0.0.1:10249",
            oomScoreAdj: 0,
            // Does not change the limits of connection tracking, because they apply to the whole machine, not to the
            // namespace.
            conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
        }),
        Corefile: `cluster.local ${reverseZone} {
    bind ${nodeAddress}
    errors
    ready ${hostInUrl(nodeAddress)}:8181
    kubernetes cluster.local ${reverseZone} {
        kubeconfig ${etcInside}/coredns.json
        pods insecure
    }
}
. {
    bind ${nodeAddress}
    # Pods reach no other name server: an answer at once is better than none.
    template ANY ANY {
        rcode NXDOMAIN
    }
}
`,
    };
}

function json(value: unknown): string {
    return JSON.stringify(value, undefined, 2);
}
