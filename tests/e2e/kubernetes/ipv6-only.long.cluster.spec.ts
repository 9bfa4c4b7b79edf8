import assert from "node:assert/strict";
import { isIPv6 } from "node:net";
import { clusterDown, clusterUp } from "@pulumi-static-export/cluster";
import { exists } from "@pulumi-static-export/toolchain";
import { BundleServer } from "../../charts/support/bundle-server.js";
import { postgresPrograms } from "../../service/support/postgres.js";
import { packPackages } from "../packages/support/packed-packages.js";
import { endOf } from "../service/support/kill-parts.js";
import { withLog } from "../service/support/with-log.js";
import { siteArchive, siteFiles } from "./support/archives/site-archives.js";
import { HelmRelease } from "./support/helm-release.js";
import { domainFromGit, domains, InstalledService } from "./support/installed-service/installed-service.js";
import { loadServiceImage } from "./support/installed-service/service-image.js";
import { Namespace } from "./support/namespace.js";
import { type LocalCluster } from "./support/shared-cluster.js";
import { siteName } from "./support/site-stack.js";
import { skipWithoutCluster } from "./support/skip-without-cluster.js";
import { answersOf, Visitors } from "./support/visitors.js";

const options = { name: "ipv6-only", kind: "local", ipFamily: "IPv6" } as const;

describe("a cluster whose node, pods and Services have only IPv6 addresses", function () {
    this.timeout(10 * 60_000);
    let cluster: LocalCluster;
    let namespace: Namespace;

    before(async function () {
        await skipWithoutCluster(this);
        if (!(await exists("/proc/net/if_inet6"))) {
            console.log("      skipped: the kernel has no IPv6");
            this.skip();
        }
        this.timeout(30 * 60_000);
        cluster = (await clusterUp(options)) as LocalCluster;
        namespace = await Namespace.create(cluster, "ipv6");
    });
    after(async function () {
        this.timeout(120_000);
        await clusterDown({ ...options, onProgress: () => undefined });
    });

    it("upgrades a site without a failed request", async () => {
        const storage = await BundleServer.start(undefined, cluster.hostAddress);
        storage.answer = ({ url = "" }, response) => {
            void siteArchive(/^\/(\w+)/.exec(url)?.[1] ?? "").then((content) => response.end(content));
        };
        const valuesOf = (version: string) => ({
            replicaCount: 2,
            staticExport: { enabled: true, bundleUrl: storage.link(`/${version}.tar.gz`), version },
        });
        const release = new HelmRelease(namespace);
        await release.upgrade(valuesOf("old"));
        const contents = Object.fromEntries(
            ["old", "new"].map((version) => [version, { "/": siteFiles(version)["/index.html"] ?? "" }]),
        );
        const url = await namespace.serviceUrl(siteName());
        const visitors = new Visitors(url, contents, ["/"], { ofEachKind: 2, pauseMs: 10 });
        await release.upgrade(valuesOf("new"));
        const { failures, seen } = await visitors.leave();
        storage.stop();
        assert.deepEqual(failures, []);
        assert.deepEqual([...seen.keys()].sort(), ["/ new", "/ old"]);
        console.log(`      ${answersOf(visitors)} requests during a rollout, none failed`);
        const [pod = ""] = await namespace.readyPods();
        assert.match(await namespace.fetchLog(pod), /Fetched \d+ bytes from \[fd00:/);
    });

    it("gives pods and Services only IPv6 addresses", async () => {
        const addressesOf = async (kind: string, field: string) =>
            (await namespace.kubectl("get", kind, `--output=jsonpath={.items[*].${field}}`)).split(" ");
        const addresses = [
            ...(await addressesOf("pods", "status.podIPs[*].ip")),
            ...(await addressesOf("services", "spec.clusterIPs[*]")),
        ];
        assert.ok(addresses.length > 2 && addresses.every((each) => isIPv6(each)), addresses.join(" "));
    });

    it("exports sites with the service, from a volume and from a repository", async function () {
        if (postgresPrograms() === undefined) {
            this.skip();
        }
        await loadServiceImage(cluster, (await packPackages()).cli);
        const service = await InstalledService.install(cluster);
        try {
            await withLog(service, async () => {
                for (const domain of [String(domains[0]), domainFromGit]) {
                    const { jobId } = await service.answer("POST", "/v1/static-export/jobs", { domain });
                    const job = await endOf(service, String(jobId));
                    assert.deepEqual([job["status"], job["pageCount"]], ["completed", 60], JSON.stringify(job));
                }
            });
        } finally {
            await service.stop();
        }
    });
});
