import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AdminClient } from "@pulumi-static-export/sdk";
import { copyChart, finishChart } from "../../../dev/release/artifacts/chart-files.js";
import { privateCertificate } from "../../charts/support/private-certificate.js";
import { helm, serviceChartFolder } from "../../charts/support/render-chart.js";
import { bucket, credentials, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { GitServer } from "../../service/support/git-server.js";
import { postgresPrograms, PostgresServer } from "../../service/support/postgres.js";
import { packPackages } from "../packages/support/packed-packages.js";
import { adminKey } from "../service/support/service-parts.js";
import { Forwarder } from "./support/forwarder.js";
import { loadServiceImage, serviceImage } from "./support/installed-service/service-image.js";
import { Namespace } from "./support/namespace.js";
import { useSharedCluster } from "./support/shared-cluster.js";

const domain = "docs.example.com";
const release = "exports";

/** A namespace as platform teams provide it: nothing connects unless another policy allows it. */
const nothingConnects = {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "nothing-connects" },
    spec: { podSelector: {}, policyTypes: ["Ingress", "Egress"] },
};

describe("the released charts/static-export-service, rendered and applied as Argo CD does, under default-deny,", function () {
    this.timeout(10 * 60_000);
    const cluster = useSharedCluster();
    let folder: string;
    let postgres: PostgresServer;
    let s3: S3Server;
    let git: GitServer;
    let namespace: Namespace;
    let forwarder: Forwarder;
    let admin: AdminClient;
    let values: object;

    /** Renders the chart, whose hooks Argo CD would run, and returns the objects as YAML. */
    const render = (tag: string) =>
        helm(
            ["template", release, "--namespace", namespace.name, "--skip-tests"],
            { ...values, image: { ...serviceImage, tag, pullPolicy: "Never" } },
            join(folder, "chart"),
        );

    const sync = async (tag: string): Promise<void> => {
        await namespace.apply(await render(tag));
        await namespace.kubectl("wait", "--for=condition=Complete", "jobs", "--all", "--timeout=180s");
        await namespace.kubectl("wait", "--for=condition=Available", "deployments", "--all", "--timeout=180s");
        await namespace.kubectl("rollout", "status", `deployment/${release}-static-export-service-api`);
        await namespace.kubectl("rollout", "status", `deployment/${release}-static-export-service-worker`);
    };

    const exportSite = async (version: string): Promise<string> => {
        const { jobId } = await admin.staticExports.start({ domain, version });
        const { status } = await admin.staticExports.pollUntilDone(jobId, { timeoutMs: 120_000 });
        return status;
    };

    before(async function () {
        this.timeout(20 * 60_000);
        if (postgresPrograms() === undefined) {
            this.skip();
        }
        const { cli } = await packPackages();
        await loadServiceImage(cluster(), cli, "1");
        await loadServiceImage(cluster(), cli, "2");
        folder = await mkdtemp(join(tmpdir(), "gitops-"));
        copyChart(serviceChartFolder, join(folder, "chart"));
        finishChart(join(folder, "chart"), "static-export-service", "acme", "1.0.0");
        const { hostAddress } = cluster();
        const certificate = await privateCertificate(folder, hostAddress);
        postgres = await PostgresServer.start(hostAddress);
        await postgres.useCertificate(certificate);
        s3 = await S3Server.start(hostAddress);
        git = await GitServer.start({ host: hostAddress });
        await git.commit({ "index.md": "# Start\n\nThe first page.\n" });

        namespace = await Namespace.create(cluster(), "gitops");
        await namespace.apply(JSON.stringify(nothingConnects));
        const database = await postgres.createDatabase();
        const secret = {
            "database-url": `${database}?sslmode=verify-full&sslrootcert=/etc/postgres-ca/ca.crt`,
            "admin-api-key": adminKey,
            "access-key-id": credentials.accessKeyId,
            "secret-access-key": credentials.secretAccessKey,
        };
        const literals = Object.entries(secret).map(([key, value]) => `--from-literal=${key}=${value}`);
        await namespace.kubectl("create", "secret", "generic", "static-export", ...literals);
        await namespace.kubectl("create", "configmap", "postgres-ca", `--from-file=ca.crt=${certificate.file}`);
        forwarder = await Forwarder.start(
            async () => new URL(await namespace.serviceUrl(`${release}-static-export-service-api`)),
        );
        admin = new AdminClient({ baseUrl: forwarder.url, adminApiKey: adminKey });
        values = {
            publicUrl: forwarder.url,
            database: { existingSecret: "static-export" },
            adminKey: { existingSecret: "static-export" },
            bucket: { url: `s3://${bucket}/docs`, endpoint: s3.endpoint, existingSecret: "static-export" },
            sites: { [domain]: `git+${git.url}#main` },
            migration: { hook: false },
            // All pods share one node.
            worker: { replicaCount: 1, resources: { requests: { cpu: "100m", memory: "256Mi" } } },
            networkPolicy: { egressPorts: [Number(new URL(database).port)] },
            extraVolumes: [{ name: "postgres-ca", configMap: { name: "postgres-ca" } }],
            extraVolumeMounts: [{ name: "postgres-ca", mountPath: "/etc/postgres-ca", readOnly: true }],
        };
    });
    after(async () => {
        await namespace?.remove();
        admin?.close();
        forwarder?.stop();
        await git?.stop();
        await s3?.stop();
        await postgres?.stop();
        await rm(folder, { recursive: true, force: true });
    });

    it("migrates a database that has a certificate of a private CA, and exports a site", async () => {
        await sync("1");
        assert.equal(await exportSite("1"), "completed");
    });

    it("leaves nothing to change for a second sync", async () => {
        assert.equal(await namespace.diff(await render("1")), "");
        const jobs = await namespace.kubectl("get", "jobs", "--output=name");
        await sync("1");
        assert.equal(await namespace.kubectl("get", "jobs", "--output=name"), jobs);
    });

    it("migrates with another image by another Job, and exports again", async () => {
        await sync("2");
        const jobs = await namespace.kubectl("get", "jobs", "--output=name");
        assert.equal(jobs.trim().split("\n").length, 2, jobs);
        assert.equal(await namespace.diff(await render("2")), "");
        assert.equal(await exportSite("2"), "completed");
    });
});
