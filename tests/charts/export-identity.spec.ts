import assert from "node:assert/strict";
import { exported, helm, link, podTemplate, render, signature } from "./render-chart.js";

const renewed = "https://bundles.example.com/exports/se_42.tar.gz?X-Amz-Expires=600&X-Amz-Signature=another#x";

function withExport(changes: object) {
    return { staticExport: { ...exported.staticExport, ...changes } };
}

async function identity(changes: object): Promise<string | undefined> {
    return podTemplate(await render(withExport(changes))).metadata.annotations["checksum/static-export"];
}

describe("documentation-site: one export and the next", function () {
    this.timeout(120_000);

    it("changes the Secret and nothing else when the link is renewed", async () => {
        const before = await render(exported);
        const after = await render(withExport({ bundleUrl: renewed }));
        const changed = [...after].filter(([key, manifest]) => {
            return JSON.stringify(manifest) !== JSON.stringify(before.get(key));
        });
        assert.deepEqual(changed.map(([key]) => key), ["Secret/docs-documentation-site"]);
        assert.equal(after.size, before.size);
    });

    it("rolls the pods for another version, digest or address, and only for those", async () => {
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

    it("takes a digest in capitals for the same digest", async () => {
        assert.equal(await identity({ sha256: "ab".repeat(32) }), await identity({ sha256: "AB".repeat(32) }));
    });

    it("keeps the link in the Secret alone", async () => {
        const manifests = await render(exported);
        const secret = manifests.get("Secret/docs-documentation-site") as unknown as { data: Record<string, string> };
        assert.equal(Buffer.from(String(secret.data["bundle-url"]), "base64").toString(), link);
        for (const [key, manifest] of manifests) {
            if (key !== "Secret/docs-documentation-site") {
                assert.doesNotMatch(JSON.stringify(manifest), new RegExp(`${signature}|bundles\\.example\\.com`), key);
            }
        }
    });

    it("does not print the link in the notes", async () => {
        const output = await helm(["install", "docs", "--dry-run=client"], exported);
        const notes = output.slice(output.indexOf("NOTES:"));
        assert.match(notes, /version 2026-11-01/);
        assert.doesNotMatch(notes, new RegExp(signature));
    });
});
