import assert from "node:assert/strict";
import {
    type Ipv4Network,
    parseRoutes,
    planIpv6Network,
    planNetwork,
} from "../../../dev/cluster/src/local/network/network-plan.js";

const network = (text: string): Ipv4Network => {
    const [address = "", prefixLength] = text.split("/");
    const octets = address.split(".").map(Number);
    return { address: octets.reduce((sum, octet) => sum * 256 + octet, 0), prefixLength: Number(prefixLength) };
};

describe("parseRoutes", () => {
    const header = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT";

    it("parses the kernel's output, which reverses the bytes of addresses", () => {
        const table = `${header}\neth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n`;
        assert.deepEqual(parseRoutes(table), [network("192.0.2.0/24")]);
    });

    it("skips default routes", () => {
        const table = `${header}\neth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n`;
        assert.deepEqual(parseRoutes(table), []);
    });

    it("includes a route to a single address", () => {
        const table = `${header}\neth0\t0200E90A\t00000000\t0005\t0\t0\t0\tFFFFFFFF\t0\t0\t0\n`;
        assert.deepEqual(parseRoutes(table), [network("10.233.0.2/32")]);
    });
});

describe("planNetwork", () => {
    const blockOf = (...routes: string[]) => planNetwork(routes.map(network), "7f3a")?.block;

    it("assigns a cluster separate networks for the connection, services and pods, all in one block", () => {
        assert.deepEqual(planNetwork([], "7f3a"), {
            hostInterface: "sx-cluster7f3a",
            block: "10.233.0.0/21",
            hostAddress: "10.233.0.1",
            nodeAddress: "10.233.0.2",
            uplinkPrefixLength: 30,
            serviceCidr: "10.233.2.0/24",
            apiServiceAddress: "10.233.2.1",
            podCidr: "10.233.4.0/24",
            podGateway: "10.233.4.1",
        });
    });

    it("uses the next block if a route overlaps the first", () => {
        assert.equal(blockOf("10.233.7.128/25"), "10.233.8.0/21");
        assert.equal(blockOf("10.233.0.2/32"), "10.233.8.0/21");
    });

    it("skips all blocks inside a larger route", () => {
        assert.equal(blockOf("10.233.0.0/17"), "10.233.128.0/21");
    });

    it("ignores routes outside its blocks", () => {
        assert.equal(blockOf("10.232.0.0/16", "10.234.0.0/16", "192.168.0.0/16"), "10.233.0.0/21");
    });

    it("fails if every block is in use", () => {
        assert.equal(blockOf("10.0.0.0/8"), undefined);
    });

    it("gives the interface a unique name of at most 15 characters", () => {
        const names = ["7f3a0", "7f3a1"].map((unique) => planNetwork([], unique)?.hostInterface);
        assert.deepEqual(names, ["sx-cluster7f3a0", "sx-cluster7f3a1"]);
        assert.equal(names[0]?.length, 15);
    });
});

describe("planIpv6Network", () => {
    it("assigns separate networks in a block that no other cluster has", () => {
        assert.deepEqual(planIpv6Network("7f3a"), {
            hostInterface: "sx-cluster7f3a",
            block: "fd00:233:7f3a::/48",
            hostAddress: "fd00:233:7f3a::1",
            nodeAddress: "fd00:233:7f3a::2",
            uplinkPrefixLength: 126,
            serviceCidr: "fd00:233:7f3a:2::/112",
            apiServiceAddress: "fd00:233:7f3a:2::1",
            podCidr: "fd00:233:7f3a:4::/64",
            podGateway: "fd00:233:7f3a:4::1",
        });
    });
});
