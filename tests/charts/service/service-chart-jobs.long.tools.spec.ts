import assert from "node:assert/strict";
import { keyCommand } from "../../../cli/src/commands/key-command.js";
import { byKindAndName, helm, type Manifest, serviceChartFolder } from "../support/render-chart.js";
import { type Pod, podsOf, renderService, required, serviceName as name } from "../support/service-pods.js";

/** Returns the Job of a migration without the hook. */
async function plainMigration(values: object = {}): Promise<Manifest> {
    const manifests = await renderService({ ...required, migration: { hook: false }, ...values });
    const job = [...manifests.values()].find(({ kind }) => kind === "Job");
    assert.ok(job);
    return job;
}

describe("static-export-service: the migration and helm test", function () {
    this.timeout(120_000);

    it("runs the migration before each install and upgrade, or alongside the pods if the hook is off", async () => {
        const hook = (await renderService(required)).get(`Job/${name}-migrate`);
        assert.equal(hook?.metadata.annotations?.["helm.sh/hook"], "pre-install,pre-upgrade");
        assert.equal(podsOf(await renderService(required)).get(`${name}-migrate`)?.serviceAccountName, undefined);
        const plain = await plainMigration();
        assert.equal(plain.metadata.annotations, undefined);
    });

    it("keeps the hook's Job for a minute, because Argo CD would wait for ever for a Job that is gone", async () => {
        const migration = (ttlSecondsAfterFinished: number) => ({
            ...required,
            migration: { ttlSecondsAfterFinished },
        });
        await assert.rejects(renderService(migration(59)), /migration\/ttlSecondsAfterFinished/);
        const job = (await renderService(migration(60))).get(`Job/${name}-migrate`);
        assert.equal((job?.["spec"] as { ttlSecondsAfterFinished?: number }).ttlSecondsAfterFinished, 60);
    });

    it("names a migration without the hook by its pod, because a Job's pod cannot be changed", async () => {
        const { metadata, spec } = await plainMigration();
        const changes = [
            { image: { ...required.image, tag: "2" } },
            { image: { ...required.image, digest: `sha256:${"ab".repeat(32)}` } },
            { extraEnv: [{ name: "TZ", value: "UTC" }] },
            { migration: { hook: false, resources: { limits: { memory: "1Gi" } } } },
        ];
        const names = await Promise.all(changes.map(async (change) => (await plainMigration(change)).metadata.name));
        assert.equal(new Set([metadata.name, ...names]).size, changes.length + 1);
        assert.deepEqual((await plainMigration({ worker: { replicaCount: 5 }, commonLabels: {} })).spec, spec);
        const long = await plainMigration({ fullnameOverride: "a".repeat(50) });
        for (const each of [metadata.name, ...names, long.metadata.name]) {
            assert.ok(each.length <= 63, each);
        }
    });

    it("creates the same Job at each sync of Argo CD, and never removes it after its end", async () => {
        const upgraded = byKindAndName(
            await helm(
                ["template", "docs", "--skip-tests", "--is-upgrade"],
                { ...required, migration: { hook: false } },
                serviceChartFolder,
            ),
        );
        const plain = await plainMigration();
        assert.deepEqual(upgraded.get(`Job/${plain.metadata.name}`), plain);
        assert.equal((plain["spec"] as { ttlSecondsAfterFinished?: number }).ttlSecondsAfterFinished, undefined);
    });

    it("asks the API for its keys in helm test, from a pod that no Service or policy selects", async () => {
        const values = {
            ...required,
            networkPolicy: { ingressFrom: [{ podSelector: { matchLabels: { app: "a" } } }] },
        };
        const manifests = byKindAndName(await helm(["template", "docs"], values, serviceChartFolder));
        const test = manifests.get(`Pod/${name}-test-api`);
        const pod = test?.["spec"] as Pod;
        assert.deepEqual(pod.containers[0]?.args, [
            ...["key", "list", `--base-url=http://${name}-api:80`],
            "--admin-key-file=/etc/static-export/admin-api-key",
        ]);
        const list = keyCommand.subcommands?.find((each) => each.name === "list");
        const known = list?.options?.map(({ long }) => long) ?? [];
        assert.ok(known.includes("--base-url") && known.includes("--admin-key-file"));
        const { labels } = test?.metadata ?? {};
        const { selector } = manifests.get(`Service/${name}-api`)?.["spec"] as { selector: Record<string, string> };
        assert.notEqual(labels?.["app.kubernetes.io/name"], selector["app.kubernetes.io/name"]);
        const policy = manifests.get(`NetworkPolicy/${name}`)?.["spec"] as {
            ingress: { from?: { podSelector: { matchLabels: Record<string, string> } }[] }[];
        };
        const admitted = policy.ingress[0]?.from?.map(({ podSelector }) => podSelector.matchLabels) ?? [];
        assert.ok(admitted.some((each) => Object.entries(each).every(([label, value]) => labels?.[label] === value)));
    });
});
