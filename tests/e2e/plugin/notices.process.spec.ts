import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "@pulumi-static-export/toolchain";
import { bundlePlugin } from "../../../plugin/bundle-plugin.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));

interface Bom {
    metadata: { component: { name: string } };
    components: { group?: string; name: string; version: string }[];
}

describe("the notices of the plugin", () => {
    let folder: string;
    let notices: string;
    let bom: Bom;

    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-notices-"));
        await run("npm", ["run", "plugin", "--", folder], { cwd: root });
        notices = await readFile(join(folder, "THIRD-PARTY-NOTICES.txt"), "utf8");
        bom = JSON.parse(await readFile(join(folder, "sbom.cdx.json"), "utf8")) as Bom;
    });
    after(() => rm(folder, { recursive: true, force: true }));

    it("name every third-party package in the bundle's SBOM", () => {
        const others = bom.components.filter(
            ({ group, name }) => group !== "@pulumi-static-export" && name !== "pulumi-static-export",
        );
        assert.ok(others.length > 50);
        for (const { group, name, version } of others) {
            assert.ok(notices.includes(`\n${group === undefined ? "" : `${group}/`}${name} ${version} (`), name);
        }
    });

    it("cover exactly the packages that the bundle's SBOM lists", async () => {
        const { metafile } = await bundlePlugin(join(folder, "again"), "1.0.0");
        const bundled = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
        const names = bundled.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
        const listed = bom.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
        const isOwn = (name: string) => name.includes("pulumi-static-export");
        assert.deepEqual(
            [...new Set(listed)].filter((name) => !isOwn(name)).sort(),
            [...new Set(names)].filter((name) => !isOwn(name)).sort(),
        );
    });

    it("contain the copyright lines of the libraries that the plugin is built on", () => {
        for (const holder of ["Google Inc", "Amazon.com", "Mathias Buus", "David Frank", "Nathan Rajlich"]) {
            assert.match(notices, new RegExp(`Copyright .*${holder}`));
        }
    });

    it("do not attribute the project's own code to others", () => {
        assert.doesNotMatch(notices, /^@?pulumi-static-export/m);
    });
});
