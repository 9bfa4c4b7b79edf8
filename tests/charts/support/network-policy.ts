import { BlockList, isIPv6 } from "node:net";
import { type Manifest } from "./render-chart.js";

interface Rule {
    ports?: { protocol?: string; port: number | string }[] | null;
    to?: { ipBlock?: { cidr: string; except?: string[] } }[] | null;
    from?: object[] | null;
}

export interface PolicySpec {
    podSelector: { matchLabels?: Record<string, string>; matchExpressions?: object[] };
    policyTypes: string[];
    ingress?: Rule[] | null;
    egress?: Rule[] | null;
}

export interface Destination {
    address: string;
    port: number;
    protocol?: "TCP" | "UDP";
}

/**
 * Returns whether a policy allows a connection to an address outside of the cluster, as Kubernetes defines it: a rule
 * whose ports are missing or empty is for all ports, and a rule whose peers are missing or empty is for all addresses.
 */
export function allowsEgress(policy: Manifest, { address, port, protocol = "TCP" }: Destination): boolean {
    const { policyTypes, egress } = policy.spec as PolicySpec;
    if (!policyTypes.includes("Egress")) {
        return true;
    }
    return (egress ?? []).some(({ ports, to }) => {
        const isPort =
            isEmpty(ports) || ports.some((each) => each.port === port && (each.protocol ?? "TCP") === protocol);
        return isPort && (isEmpty(to) || to.some(({ ipBlock }) => ipBlock !== undefined && contains(ipBlock, address)));
    });
}

function isEmpty<T>(list: T[] | null | undefined): list is null | undefined {
    return list === undefined || list === null || list.length === 0;
}

function contains({ cidr, except = [] }: { cidr: string; except?: string[] }, address: string): boolean {
    return isIn(cidr, address) && !except.some((network) => isIn(network, address));
}

/** The dotted form of two groups such as `a00:1`. */
function ipv4Of(groups: string): string {
    const [high = 0, low = 0] = groups.split(":").map((group) => Number.parseInt(group, 16));
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function isIn(network: string, destination: string): boolean {
    // Linux sends packets for an IPv4-mapped address over IPv4.
    const [, mapped] = /^::ffff:(.+)$/.exec(destination) ?? [];
    const address = mapped === undefined ? destination : ipv4Of(mapped);
    const [start = "", bits] = network.split("/");
    if (isIPv6(start) !== isIPv6(address)) {
        return false;
    }
    const family = isIPv6(start) ? "ipv6" : "ipv4";
    const list = new BlockList();
    list.addSubnet(start, Number(bits), family);
    return list.check(address, family);
}
