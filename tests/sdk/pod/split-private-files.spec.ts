import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { splitPrivateFiles } from "../../../sdk/src/pod/split-private-files.js";
import { oddAccess } from "../../charts/access/support/odd-access.js";
import { accessJson, type SiteFile } from "../../charts/access/support/private-site.js";
import { listFiles, withFolder, writeFiles } from "../../exporter/support/site-fixture.js";

type Files = Readonly<Record<string, SiteFile>>;

/** Splits a site with these files. @returns the files of each folder, and the maps for nginx */
async function split(files: Files, access = accessJson(files), separator = ","): Promise<Record<string, string>> {
    return withFolder(async (work) => {
        const site = join(work, "public");
        await mkdir(site);
        const texts = Object.entries(files).map(([name, { content }]) => [name, content] as const);
        await writeFiles(site, { ...Object.fromEntries(texts), "access.json": access });
        await splitPrivateFiles(site, work, separator);
        const names = (await listFiles(work)).filter((name) => !name.endsWith("access.json"));
        const read = names.map(async (name) => [name, await readFile(join(work, name), "utf8")] as const);
        return Object.fromEntries(await Promise.all(read));
    });
}

const secret: Files = { "secret.html": { content: "private", groups: ["staff"] }, "other.html": { content: "" } };

describe("The private files of a pod", () => {
    it("move to one folder for each list of groups, with one map for nginx", async () => {
        const files = {
            "a.html": { content: "1", groups: ["admins", "staff"] },
            "a.md": { content: "2", groups: ["admins", "staff"] },
            "b/-c d'.html": { content: "3", groups: [] },
            "ü.png": { content: "4", groups: ["größe $x (a|b).*"] },
            "open.html": { content: "5" },
        };
        assert.deepEqual(await split(files), {
            "access/0.map": '"~\\,admins\\," 0;\n"~\\,staff\\," 0;\n',
            "access/1.map": '"~^\\," 1;\n',
            "access/2.map": '"~\\,größe\\ \\$x\\ \\(a\\|b\\)\\.\\*\\," 2;\n',
            "private/0/a.html": "1",
            "private/0/a.md": "2",
            "private/1/b/-c d'.html": "3",
            "private/2/ü.png": "4",
            "public/open.html": "5",
        });
    });

    it("do not exist if access.json lists no files", async () => {
        assert.deepEqual(await split({ "a.html": { content: "1" } }), { "public/a.html": "1" });
    });

    for (const { title, access, says } of oddAccess) {
        it(`make the pod refuse the bundle if access.json ${title}`, async () => {
            await assert.rejects(split(secret, access), says);
        });
    }

    it("make the pod refuse the bundle if there are more lists of groups than nginx supports", async () => {
        const files = (count: number) =>
            Object.fromEntries(
                Array.from({ length: count }, (_, index) => [`${index}`, { content: "", groups: [`g${index}`] }]),
            );
        await split(files(64));
        await assert.rejects(split(files(65)), /line 68 begins list 65 of groups/);
    });

    it("make the pod refuse the bundle if there are more than 2,000 groups", async () => {
        const names = (count: number) => Array.from({ length: count }, (_, at) => `g${at}`);
        const files = (count: number): Files => ({
            "a.html": { content: "1", groups: names(1000) },
            "b.html": { content: "2", groups: names(count) },
        });
        // The same list twice counts once.
        await split(files(1000));
        await split(files(999));
        await assert.rejects(split(files(1001)), /line 5 exceeds the 2000 groups that pods accept/);
    });

    it("make the pod refuse the bundle if the site does not identify readers", async () => {
        await assert.rejects(split(secret, undefined, ""), /this site does not identify readers\. Set access/);
    });
});
