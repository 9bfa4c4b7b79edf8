/** The addresses of one cluster: eight consecutive /24 networks, three of which are used. */
export interface NetworkPlan {
    /** The name of the host's interface and control group, which no other cluster reuses. */
    readonly hostInterface: string;
    readonly block: string;
    /** This machine's address, as pods see it. */
    readonly hostAddress: string;
    /** The node's address, as this machine sees it. */
    readonly nodeAddress: string;
    readonly uplinkPrefixLength: number;
    readonly serviceCidr: string;
    /** The first address of the service network, which Kubernetes assigns to its API. */
    readonly apiServiceAddress: string;
    readonly podCidr: string;
    readonly podGateway: string;
}

export interface Ipv4Network {
    readonly address: number;
    readonly prefixLength: number;
}

/** The prefix of every local cluster's interface name. */
export const hostInterfacePrefix = "sx-cluster";

const slots = 32;
const blockPrefixLength = 21;

/** Parses `/proc/net/route`; skips default routes, which match every address. */
export function parseRoutes(table: string): Ipv4Network[] {
    return table
        .split("\n")
        .slice(1)
        .map((line) => line.split(/\s+/))
        .filter((fields) => fields.length >= 8)
        .map((fields) => ({ address: fromKernel(fields[1]), prefixLength: countOnes(fromKernel(fields[7])) }))
        .filter(({ prefixLength }) => prefixLength > 0);
}

/**
 * Chooses the first block of addresses to which this machine has no route.
 *
 * @param uniqueName Up to five random characters, so that no cluster mistakes the interface of another cluster for its
 * own. The block's number would not be unique after a restart of the machine.
 * @returns undefined if every block is taken.
 */
export function planNetwork(routes: readonly Ipv4Network[], uniqueName: string): NetworkPlan | undefined {
    for (let slot = 0; slot < slots; slot++) {
        const third = slot * 8;
        const block = { address: ipv4(10, 233, third, 0), prefixLength: blockPrefixLength };
        if (!routes.some((route) => overlap(route, block))) {
            return {
                hostInterface: `${hostInterfacePrefix}${uniqueName}`,
                block: `10.233.${third}.0/${blockPrefixLength}`,
                hostAddress: `10.233.${third}.1`,
                nodeAddress: `10.233.${third}.2`,
                uplinkPrefixLength: 30,
                serviceCidr: `10.233.${third + 2}.0/24`,
                apiServiceAddress: `10.233.${third + 2}.1`,
                podCidr: `10.233.${third + 4}.0/24`,
                podGateway: `10.233.${third + 4}.1`,
            };
        }
    }
    return undefined;
}

/** Returns the addresses of a cluster without IPv4. @param uniqueName four hexadecimal digits */
export function planIpv6Network(uniqueName: string): NetworkPlan {
    const prefix = `fd00:233:${uniqueName}`;
    return {
        hostInterface: `${hostInterfacePrefix}${uniqueName}`,
        block: `${prefix}::/48`,
        hostAddress: `${prefix}::1`,
        nodeAddress: `${prefix}::2`,
        uplinkPrefixLength: 126,
        serviceCidr: `${prefix}:2::/112`,
        apiServiceAddress: `${prefix}:2::1`,
        podCidr: `${prefix}:4::/64`,
        podGateway: `${prefix}:4::1`,
    };
}

function overlap(a: Ipv4Network, b: Ipv4Network): boolean {
    const size = 2 ** (32 - Math.min(a.prefixLength, b.prefixLength));
    return Math.floor(a.address / size) === Math.floor(b.address / size);
}

function ipv4(...octets: readonly number[]): number {
    return octets.reduce((address, octet) => address * 256 + octet, 0);
}

/**
 * Parses an address, which the kernel prints as a hexadecimal number in the machine's byte order (here little-endian).
 */
function fromKernel(hexadecimal = ""): number {
    return ipv4(...Buffer.from(hexadecimal, "hex").reverse());
}

function countOnes(mask: number): number {
    return [...mask.toString(2)].filter((bit) => bit === "1").length;
}
