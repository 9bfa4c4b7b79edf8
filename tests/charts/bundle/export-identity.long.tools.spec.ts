import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
    byKindAndName,
    exported,
    helm,
    link,
    type Manifest,
    podTemplate,
    render,
    signature,
} from "../support/render-chart.js";

const renewed = "https://bundles.example.com/exports/se_42.tar.gz?X-Amz-Expires=600&X-Amz-Signature=another#x";

function withExport(changes: object) {
    return { staticExport: { ...exported.staticExport, ...changes } };
}

async function identity(changes: object): Promise<string | undefined> {
    const [fetch] = podTemplate(await render(withExport(changes))).spec.initContainers;
    return fetch?.env.find(({ name }) => name === "EXPORT_ID")?.value;
}

function linkIn(manifests: Map<string, Manifest>): string {
    const { data } = manifests.get("Secret/docs-documentation-site") as unknown as { data: Record<string, string> };
    return Buffer.from(String(data["bundle-url"]), "base64").toString();
}

describe("documentation-site: successive exports", function () {
    this.timeout(120_000);

    it("update only the Secret when the link is renewed", async () => {
        const before = await render(exported);
        const after = await render(withExport({ bundleUrl: renewed }));
        const changed = [...after].filter(([key, manifest]) => {
            return JSON.stringify(manifest) !== JSON.stringify(before.get(key));
        });
        assert.deepEqual(
            changed.map(([key]) => key),
            ["Secret/docs-documentation-site"],
        );
        assert.equal(after.size, before.size);
    });

    it("roll the pods only for a different version, digest or address", async () => {
        const same = await identity({});
        assert.match(String(same), /^[0-9a-f]{64}$/);
        assert.equal(await identity({ bundleUrl: renewed }), same);
        const others = [
            await identity({ version: "2026-11-02" }),
            await identity({ sha256: "a".repeat(64) }),
            await identity({ bundleUrl: link.replace("se_42", "se_43") }),
        ];
        assert.equal(new Set([same, ...others]).size, 4);
    });

    it("have their own Secret, and their own ConfigMap if its files differ, for the pods that are replaced", async () => {
        const namesOf = async (values: object) => {
            const manifests = await render(values);
            const started = [...manifests.values()].filter(({ kind }) => ["Secret", "ConfigMap"].includes(kind));
            for (const { metadata } of started) {
                assert.equal(metadata.annotations?.["argocd.argoproj.io/sync-options"], "PruneLast=true");
            }
            const names = started.map(({ kind, metadata }) => [kind, metadata.name] as const);
            const used = podTemplate(manifests).spec.volumes.flatMap(({ secret, configMap }) => [secret, configMap]);
            for (const [, name] of names) {
                assert.ok(JSON.stringify(used).includes(`"${name}"`), name);
            }
            return Object.fromEntries(names);
        };
        const before = await namesOf(exported);
        const next = await namesOf(withExport({ version: "2026-11-02" }));
        assert.equal(next["ConfigMap"], before["ConfigMap"]);
        assert.notEqual(next["Secret"], before["Secret"]);
        const changed = await namesOf({ ...exported, nginx: { workerProcesses: 4 } });
        assert.notEqual(changed["ConfigMap"], before["ConfigMap"]);
        assert.equal(changed["Secret"], before["Secret"]);
    });

    for (const parameter of ["versionId", "generation", "versionid", "snapshot", "version"]) {
        it(`roll the pods for a different ${parameter} in the link, but not for a new signature`, async () => {
            const versioned = (version: string, rest: string) => `${link}&${parameter}=${version}&${rest}`;
            const same = await identity({ bundleUrl: versioned("1", "X-Amz-Expires=600") });
            assert.notEqual(same, await identity({}));
            assert.equal(await identity({ bundleUrl: versioned("1", "X-Amz-Expires=900") }), same);
            assert.notEqual(await identity({ bundleUrl: versioned("2", "X-Amz-Expires=600") }), same);
        });
    }

    it("treat an uppercase digest as the same digest", async () => {
        assert.equal(await identity({ sha256: "ab".repeat(32) }), await identity({ sha256: "AB".repeat(32) }));
    });

    it("store the link only in the Secret", async () => {
        const manifests = await render(exported);
        assert.equal(linkIn(manifests), link);
        for (const [key, manifest] of manifests) {
            if (key !== "Secret/docs-documentation-site") {
                assert.doesNotMatch(JSON.stringify(manifest), new RegExp(`${signature}|bundles\\.example\\.com`), key);
            }
        }
    });

    it("accept a link from a file that ends with a newline", async () => {
        const folder = await mkdtemp(path.join(tmpdir(), "link-"));
        try {
            const file = path.join(folder, "link.txt");
            await writeFile(file, `${link}\n`);
            const fromFile = ["template", "docs", "--skip-tests", "--set-file", `staticExport.bundleUrl=${file}`];
            const { enabled, version } = exported.staticExport;
            const manifests = byKindAndName(await helm(fromFile, { staticExport: { enabled, version } }));
            assert.equal(linkIn(manifests), link);
            assert.deepEqual(manifests, await render(exported));
        } finally {
            await rm(folder, { recursive: true });
        }
    });

    it("do not print the link in the notes", async () => {
        const output = await helm(["install", "docs", "--dry-run=client"], exported);
        const notes = output.slice(output.indexOf("NOTES:"));
        assert.match(notes, /version 2026-11-01/);
        assert.doesNotMatch(notes, new RegExp(signature));
    });
});
