import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { ExportedSite, WebFiles } from "../../../../answer/src/index.js";
import { listFiles, type Files, withExport } from "../../support/site-fixture.js";
import { openSearch } from "./search-reader.js";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Pages with their number; page 39 of the first version is about the ocean. */
function siteOf(name: string, ocean: number): Files {
    const numbers = Array.from({ length: 60 }, (_, number) => number);
    const text = (number: number) => `${name} text ${number}${number === ocean ? " about the ocean" : ""}.`;
    return Object.fromEntries(numbers.map((number) => [`p${number}.md`, `# ${name} ${number}\n\n${text(number)}\n`]));
}

type Exported = ReadonlyMap<string, string>;

async function exportedFiles(files: Files): Promise<Exported> {
    const exported = new Map<string, string>();
    await withExport(files, async ({ outDir }) => {
        for (const file of await listFiles(outDir)) {
            exported.set(file, await readFile(join(outDir, file), "utf8"));
        }
    });
    return exported;
}

/** A host whose files change while readers have pages open. */
class Host {
    /** The copies of browsers, as if the host sent `max-age` with every file. */
    readonly #cached = new Map<string, string>();

    constructor(public files: Exported) {}

    readonly read = (file: string, isFresh: boolean): Promise<string> => {
        const text = (isFresh ? undefined : this.#cached.get(file)) ?? this.files.get(file);
        if (text === undefined) {
            return Promise.reject(new Error(`404: ${file}`));
        }
        this.#cached.set(file, text);
        return Promise.resolve(text);
    };
}

describe("The search after the site was exported again", () => {
    let old: Exported;
    let latest: Exported;

    before(async () => {
        old = await exportedFiles(siteOf("Old", 39));
        latest = await exportedFiles(siteOf("New", 12));
    });

    const titles = async ({ find }: Pick<Awaited<ReturnType<typeof openSearch>>["index"], "find">, query: string) => {
        const { hits } = await find(query, { max: 10 });
        return Array.from(hits, ({ title }) => title);
    };

    it("finds pages of the latest version in an open page whose host has only the latest files", async () => {
        const host = new Host(old);
        const { index } = await openSearch(host.read);
        assert.deepEqual(await titles(index, "walrus"), []);
        host.files = latest;
        assert.deepEqual(await titles(index, "ocean"), ["New 12"]);
    });

    it("finds pages of the latest version although the browser has cached files of the last", async () => {
        const host = new Host(old);
        assert.deepEqual(await titles((await openSearch(host.read)).index, "ocean"), ["Old 39"]);
        host.files = latest;
        const { index } = await openSearch(host.read);
        assert.deepEqual(await titles(index, "ocean"), ["Old 39"], "all files of this search are cached");
        assert.deepEqual(await titles(index, "text 7"), ["New 7"]);
        assert.deepEqual(await titles(index, "ocean"), ["New 12"]);
    });

    it("finds pages of one version on a host that has the files of both", async () => {
        const host = new Host(old);
        const { index } = await openSearch(host.read);
        await index.open();
        host.files = new Map([...old, ...latest]);
        assert.deepEqual(await titles(index, "ocean"), ["Old 39"]);
        assert.deepEqual(await titles((await openSearch(new Host(host.files).read)).index, "ocean"), ["New 12"]);
    });

    it("shows more results of the latest version if the files of the last are gone", async () => {
        const host = new Host(old);
        const { index } = await openSearch(host.read);
        const { hits, more } = await index.find("text", { max: 3 });
        assert.ok(hits.every(({ title }) => title.startsWith("Old")));
        host.files = latest;
        const further = await more(3);
        assert.ok(further.length > 0 && further.every(({ title }) => title.startsWith("New")));
    });

    it("fails if a file is missing although there is no other version", async () => {
        const host = new Host(new Map([...old].filter(([file]) => !file.includes("/text/"))));
        const { index } = await openSearch(host.read);
        await assert.rejects(index.find("ocean", { max: 1 }), /404/);
    });

    it("reads the index of an earlier release, whose file names have no version", async () => {
        const plain = [...old].map(([file, text]): [string, string] => {
            const name = file.replace(/^(static-export\/search\/.*)\.[0-9a-f]{8}(?=\.js$)/, "$1");
            const ofFile = text.replace(/^(staticExportSearch\("[^"]*)\.[0-9a-f]{8}"/, '$1"');
            const facts = /"version":"\w+",|,"files":\{[^}]*\}/g;
            return [name, ofFile.replace(facts, "").replace(/("stemmer":"\w+)\.\w+/, "$1")];
        });
        const { index, loaded } = await openSearch(new Host(new Map(plain)).read);
        assert.deepEqual(await titles(index, "ocean"), ["Old 39"]);
        assert.match(loaded.join(), /^0\/scope,stemmer-english,0\/terms-\d+,text\/\d+$/);
    });

    it("names each file by its content, as hosts require for unlimited caching", () => {
        const names = [...old.keys()].filter((file) => file.startsWith("static-export/search/"));
        const fixed = names.filter((file) => !/\.(?=\d{0,7}[a-f])[\da-f]{8}\.js$/.test(file));
        assert.deepEqual(fixed, ["static-export/search/0/scope.js"]);
    });

    describe("from a program", () => {
        let server: Server;
        let files: Exported;
        let nowMs = 0;

        before(async () => {
            server = createServer((request, response) => {
                const text = files.get((request.url ?? "").slice(1));
                response.writeHead(text === undefined ? 404 : 200).end(text);
            });
            await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        });
        after(() => server.close());

        const openSite = () => {
            const { port } = server.address() as AddressInfo;
            return ExportedSite.open(new WebFiles(new URL(`http://127.0.0.1:${port}`), { nowMs: () => nowMs }));
        };
        const find = async (site: ExportedSite, query: string) =>
            (await site.search({ query, max: 3 })).map(({ title }) => title);

        it("finds pages of the latest version of a website", async () => {
            files = old;
            const site = await openSite();
            assert.deepEqual(await find(site, "ocean"), ["Old 39"]);
            files = latest;
            nowMs += 60_000;
            assert.deepEqual(await find(site, "ocean"), ["New 12"]);
        });

        it("notices the latest version at once if a file of the last is gone", async () => {
            files = old;
            nowMs += 60_000;
            const site = await openSite();
            assert.deepEqual(await find(site, "nothing"), []);
            files = latest;
            assert.deepEqual(await find(site, "ocean"), ["New 12"]);
        });
    });
});
