import assert from "node:assert/strict";
import { mkdir, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { BundleError } from "@pulumi-static-export/sdk";
import { readPrivateFiles } from "@pulumi-static-export/sdk/internal";
import { oddAccess } from "../../charts/access/support/odd-access.js";
import { accessJson, privateSite, type SiteFile } from "../../charts/access/support/private-site.js";
import { withFolder, writeFiles } from "../../exporter/support/site-fixture.js";

/** Returns the private files of an unpacked bundle, or the reason for refusing it. */
async function read(
    files: Readonly<Record<string, SiteFile>>,
    access?: string,
    change: (folder: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<string[] | string> {
    return withFolder(async (folder) => {
        const texts = Object.entries(files).map(([name, { content }]) => [name, content] as const);
        const all = access === undefined ? texts : [...texts, ["access.json", access] as const];
        await writeFiles(folder, Object.fromEntries(all));
        await change(folder);
        const found: string[] = [];
        try {
            for await (const { file } of readPrivateFiles(folder)) {
                found.push(file);
            }
            return found;
        } catch (error) {
            assert.ok(error instanceof BundleError && error.problem === "unusable-access", String(error));
            return error.message;
        }
    });
}

describe("A bundle's access.json", () => {
    const secret = { "secret.html": { content: "private", groups: ["staff"] } };

    it("lists the files with restricted readers", async () => {
        const isPrivate = ([, { groups }]: [string, SiteFile]) => groups !== undefined;
        const names = Object.entries(privateSite).filter(isPrivate);
        assert.deepEqual(
            await read(privateSite, accessJson(privateSite)),
            names.map(([name]) => name),
        );
    });

    it("makes all files public if it lists no files or is missing", async () => {
        assert.deepEqual(await read(secret, accessJson({})), []);
        assert.deepEqual(await read(secret), []);
    });

    for (const { title, access, says, isLimitOfPods } of oddAccess) {
        if (!isLimitOfPods) {
            it(`is refused if it ${title}`, async () => {
                const message = String(await read({ ...secret, "other.html": { content: "" } }, access));
                assert.match(message, says);
                assert.match(
                    message,
                    /^Bundle refused: access\.json, .* Do not serve this bundle: export the site again/,
                );
            });
        }
    }

    it("is refused if it names a missing file or a folder", async () => {
        const missing = /access\.json.*line 4 names a file that the bundle does not contain: secret\.html/;
        assert.match(String(await read({}, accessJson(secret))), missing);
        const folder = (path: string) => mkdir(join(path, "secret.html"));
        assert.match(String(await read({}, accessJson(secret), folder)), missing);
    });

    it("is refused if its lines end in CRLF", async () => {
        const says = /line 1 is not of the form/;
        assert.match(String(await read(secret, accessJson(secret).replaceAll("\n", "\r\n"))), says);
    });

    it("is refused if it is a link, or if the file or one of its lines is too large", async () => {
        const grown = (bytes: number) => (folder: string) => truncate(join(folder, "access.json"), bytes);
        assert.match(String(await read(secret, "", grown(65 * 1024 * 1024))), /larger than 64 MiB/);
        assert.match(String(await read(secret, "", grown(2 * 1024 * 1024))), /a line of more than 1048576/);
        const linked = (folder: string) => symlink("secret.html", join(folder, "access.json"));
        assert.match(String(await read(secret, undefined, linked)), /it is not a file/);
    });
});
