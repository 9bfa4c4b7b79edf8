import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { drawnFile, readDrawn } from "../../../dev/pictures/fingerprint.js";
import { fingerprints } from "../../../dev/pictures/guide.js";
import { builders, peers } from "../../../dev/pictures/side-by-side.js";
import { codeBlocks } from "../../docs/support/documents.js";

const texts = async (drawing: string) =>
    [...(await readFile(`docs/images/${drawing}`, "utf8")).matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(
        ([, text = ""]) => text,
    );

describe("The pictures of the guide", () => {
    it("show what the comment on pull requests and `dev` say today: otherwise, run `npm run pictures`", async () => {
        const shown = await fingerprints();
        assert.deepEqual(await readDrawn(Object.keys(shown)), shown);
    });

    it("have a fingerprint each, except drawings", async () => {
        const files = await readdir("docs/images", { recursive: true });
        const pictures = files.map((file) => file.replaceAll("\\", "/")).filter((file) => /\.(png|webp)$/.test(file));
        const drawn = JSON.parse(await readFile(drawnFile, "utf8")) as object;
        assert.deepEqual(pictures.sort(), Object.keys(drawn).sort());
    });

    it("of three builders show today's pages, and the versions that the guide names", async () => {
        for (const { fingerprints: shownBy } of builders) {
            const shown = await shownBy();
            assert.deepEqual(await readDrawn(Object.keys(shown)), shown, "run `npm run pictures`");
        }
        const { starlight, vitepress } = peers;
        const versions = [starlight.dependencies["@astrojs/starlight"], vitepress.dependencies["vitepress"]];
        const page = await readFile("docs/side-by-side.md", "utf8");
        assert.ok(page.includes(`Starlight ${versions[0]} and VitePress ${versions[1]}`), versions.join());
    });

    it("of the flow name the resource and outputs of the README's program", async () => {
        const program = codeBlocks("README.md").find(({ language }) => language === "ts")?.text ?? "";
        const named = (await texts("flow.svg")).flatMap((text) => text.match(/\w*[a-z][A-Z]\w*|\bversion\b/g) ?? []);
        assert.deepEqual(named, ["StaticExportBundle", "bundleUrl", "version"]);
        for (const name of named) {
            assert.match(program, new RegExp(`\\b${name}\\b`));
        }
    });

    it("of the service name commands that its page describes", async () => {
        const commands = (await texts("service.svg")).filter((text) => text.startsWith("static-export "));
        const page = await readFile("docs/guides/one-machine-or-many.md", "utf8");
        assert.deepEqual(commands, ["static-export serve", "static-export work"]);
        for (const command of commands) {
            assert.ok(page.includes(`\`${command} `), command);
        }
    });
});
