import { isIPv6 } from "node:net";
import { run } from "@pulumi-static-export/toolchain";
import { type ProcessIdentity } from "../../cluster/process-identity.js";
import { type NetworkPlan } from "./network-plan.js";
import { runInNamespace } from "./node-namespace.js";

/**
 * Connects the node to this machine by a veth pair. Adds a route on this machine to the node, its pods and its
 * Services, and changes nothing else: this machine does not forward packets, so pods cannot reach other networks.
 */
export async function connectNode(plan: NetworkPlan, init: ProcessIdentity, nodeRoot: string): Promise<void> {
    const { hostInterface, hostAddress, nodeAddress, uplinkPrefixLength, block } = plan;
    // Uses iproute2 from the node's root folder, because this machine may have none.
    const outside = (...args: string[]) => run("chroot", [nodeRoot, "ip", ...args]);
    const inside = (...args: string[]) => runInNamespace(init, ["ip", ...args]);
    const peer = ["peer", "name", nodeInterface, "netns", String(init.pid)];
    await outside("link", "add", hostInterface, "type", "veth", ...peer);
    // No other machine can have these addresses, and an IPv6 address would wait for the detection of duplicates.
    const unique = isIPv6(nodeAddress) ? ["nodad"] : [];
    await inside("address", "add", `${nodeAddress}/${uplinkPrefixLength}`, "dev", nodeInterface, ...unique);
    await inside("link", "set", nodeInterface, "up");
    await outside("address", "add", `${hostAddress}/${uplinkPrefixLength}`, "dev", hostInterface, ...unique);
    await outside("link", "set", hostInterface, "up");
    await outside("route", "add", block, "via", nodeAddress);
    await inside("route", "add", "default", "via", hostAddress);
}

/** The node's end of the pair. */
export const nodeInterface = "eth0";
