import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "../../cli/support/command.js";
import { createTarGz } from "../../sdk/support/archives.js";
import { readTree } from "../../sdk/support/files.js";
import { withServiceOver } from "../../service/support/running-service.js";
import { unpackArchive } from "../../../sdk/src/bundle/unpack-archive.js";
import { CaselessDisk } from "./support/caseless-disk.js";

describe("A disk that ignores the case of names", function () {
    this.timeout(120_000);
    let disk: CaselessDisk;
    let folder: string;

    before(async function () {
        disk = await CaselessDisk.mount(this);
    });
    after(() => disk?.unmount());
    beforeEach(async () => {
        folder = join(disk.folder, "work");
        await mkdir(folder);
    });
    afterEach(() => rm(folder, { recursive: true }));

    const write = async (files: Readonly<Record<string, string>>) => {
        for (const [file, text] of Object.entries(files)) {
            await mkdir(join(folder, file, ".."), { recursive: true });
            await writeFile(join(folder, file), text);
        }
    };
    const command = async (...args: string[]) => {
        const { exitCode, stdout, stderr } = await run(folder, args);
        return { exitCode, output: stdout + stderr };
    };
    const succeeds = async (...args: string[]) => {
        const { exitCode, output } = await command(...args);
        assert.equal(exitCode, 0, output);
    };
    const publish = (site: string, ...args: string[]) => [
        "publish",
        site,
        "--to",
        pathToFileURL(place()).href,
        ...args,
    ];
    const place = () => join(folder, "place");

    for (const switching of ["files", "releases"]) {
        it(`exports a site, and publishes a page under its new spelling: ${switching}`, async () => {
            await write({ "docs/index.md": "# Home\n\n[About](./About.md)\n", "docs/About.md": "# First\n" });
            await mkdir(place());
            await succeeds("build", "docs", "-o", "one");
            await succeeds(...publish("one", "--switching", switching, "--grace-seconds", "0"));
            await rename(join(folder, "docs/About.md"), join(folder, "docs/about.md"));
            await write({ "docs/index.md": "# Home\n\n[About](./about.md)\n", "docs/about.md": "# Second\n" });
            await succeeds("build", "docs", "-o", "two");
            const again = publish("two", "--switching", switching, "--grace-seconds", "0");
            await succeeds(...again);
            await succeeds(...again);
            const served = switching === "files" ? place() : join(place(), "current");
            assert.ok((await readdir(served)).includes("about.html"));
            assert.match(await readFile(join(served, "about.html"), "utf8"), /<h1[^>]*>Second/);
        });
    }

    it("keeps the files of others that it has under another spelling of a site's paths", async () => {
        const page = (text: string) => `<!doctype html><title>${text}</title><h1>${text}</h1>`;
        await write({ "one/index.html": page("One"), "inner/index.html": page("Inner"), "place/docs/.keep": "" });
        await rm(join(folder, "place/docs/.keep"));
        await succeeds(...publish("one"));
        const inner = pathToFileURL(join(place(), "docs")).href;
        await succeeds("publish", "inner", "--to", inner, "--owner", "inner");
        await write({ "one/Docs/index.html": page("One") });
        const nested = await command(...publish("one"));
        assert.match(nested.output, /contains another site: "inner" has published to .* such as "Docs\/index\.html"/);
        await rm(join(folder, "one/Docs"), { recursive: true });
        await write({ "place/ABOUT.html": "by hand", "one/about.html": page("About") });
        const strange = await command(...publish("one"));
        assert.match(strange.output, /which are in no list of this site: "about\.html"/);
        assert.equal(await readFile(join(place(), "about.html"), "utf8"), "by hand");
        assert.match(await readFile(join(place(), "docs/index.html"), "utf8"), /Inner/);
        await rm(join(place(), "ABOUT.html"));
        await succeeds(...publish("one"));
        const { output } = await command(...publish("one"));
        assert.match(output, /nothing had to be sent/);
    });

    it("refuses a site with two pages whose names differ only in case, names both, and keeps the live site", async () => {
        await write({ "docs/index.md": "# Live\n" });
        await mkdir(place());
        await succeeds("build", "docs", "-o", "one");
        await succeeds(...publish("one"));
        const live = await readTree(place());
        const page = (title: string) => `<!doctype html><title>${title}</title><h1>${title}</h1>`;
        const archive = join(folder, "site.tar.gz");
        const entries = ["index.html", "guide/About.html", "guide/about.html"];
        await writeFile(archive, await createTarGz(entries.map((name) => ({ name, content: page(name) }))));
        const { exitCode, output } = await command(...publish(archive));
        assert.notEqual(exitCode, 0);
        assert.match(
            output,
            /place cannot hold both "guide\/About\.html" and "guide\/about\.html", because its disk ignores the case of/,
        );
        assert.deepEqual(await readTree(place()), live);
    });

    it("keeps pages and secrets from commands that get their folder in another spelling", async () => {
        await write({ "docs/é.md": "# Page\n", "docs/key": `admin_${"0".repeat(64)}\n` });
        await succeeds("build", "docs", "-o", "site");
        const before = await readTree(folder);
        const serve = ["serve", "--site", "docs.example.com=docs", "--port", "0"];
        for (const [args, expected] of [
            [["build", "docs", "-o", "DOCS", "--force"], /DOCS contains docs: choose another --output/],
            [["build", "docs", "-o", "DOCS/out"], /DOCS\/out is inside docs, whose files are pages/],
            [["build", "docs", "--zip", "Docs/site.zip"], /Docs\/site\.zip is inside docs, whose files are published/],
            [publish("site", "--to", pathToFileURL(join(folder, "SITE")).href), /SITE is a part of the site/],
            [[...serve, "--data-dir", "DOCS/data"], /data is inside the folder of site docs\.example\.com/],
            [
                [...serve, "--data-dir", "data", "--admin-key-file", "DOCS/key"],
                /DOCS\/key is inside the folder of site/,
            ],
        ] as const) {
            const { exitCode, output } = await command(...args);
            assert.equal(exitCode, 2, output);
            assert.match(output, expected);
        }
        assert.deepEqual(await readTree(folder), before);
    });

    for (const [first, second, named] of [
        ["About.html", "about.html", '"about.html" and "About.html"'],
        ["Docs/x.html", "docs/x.html", '"docs/x.html" and "Docs/x.html"'],
        ["Docs/X.html", "docs/x.html", '"docs/x.html" and "Docs/X.html"'],
        ["Docs", "docs/x.html", '"docs/x.html" and "Docs"'],
        ["Docs/x.html/y.html", "docs/x.html", '"docs/x.html" and "Docs/x.html"'],
    ] as const) {
        it(`names both entries of an archive that it cannot hold: ${first} and ${second}`, async () => {
            const root = join(folder, "site");
            await mkdir(root);
            const entries = ["index.html", first, second].map((name) => ({ name, content: name }));
            await writeFile(join(folder, "archive"), await createTarGz(entries));
            await assert.rejects(
                unpackArchive(join(folder, "archive"), root, { maxBytes: 200_000, maxFiles: 20 }, undefined, {}),
                ({ message }: Error) =>
                    message.includes(`${named} are the same name on this disk`) &&
                    message.includes("Rename one of them"),
            );
        });
    }

    it("holds the folders of a service, which exports a changed site twice", async () => {
        await write({ "site/index.md": "# One\n" });
        await withServiceOver(folder, {}, async ({ start, reaches }) => {
            await reaches(await start(), "completed");
            await write({ "site/index.md": "# Two\n", "site/More.md": "# More\n" });
            const { pageCount } = await reaches(await start(), "completed");
            assert.equal(pageCount, 2);
        });
    });
});
