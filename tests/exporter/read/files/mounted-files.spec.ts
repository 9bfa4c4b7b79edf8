import assert from "node:assert/strict";
import { exportWithLinks, type Links, secret } from "../../support/linked-site.js";

describe("A site in a mounted ConfigMap", () => {
    const data = "..2026_11_22_08_30_00.123456789";
    const files = Object.fromEntries(
        Object.entries({
            "docs.json": "{}",
            "guide.md": "# Guide",
            ".mintignore": "*.draft.md",
            "api/start.md": "# API",
        }).map(([name, text]) => [`site/${data}/${name}`, text]),
    );
    const mounted = Object.fromEntries(
        ["docs.json", "guide.md", ".mintignore", "api"].map((name) => [name, `..data/${name}`]),
    );
    const links = { "..data": data, ...mounted };

    it("is published, although Kubernetes shows its files as links into a hidden folder", async () => {
        const published = await exportWithLinks({ files, links });
        assert.ok(Array.isArray(published), String(published));
        assert.ok(
            ["guide.html", "api/start.html"].every((file) => published.includes(file)),
            published.join(" "),
        );
        assert.ok(!published.some((file) => file.includes("..")), published.join(" "));
    });

    it("leaves out the files in its .mintignore", async () => {
        const draft = { [`site/${data}/new.draft.md`]: secret };
        const published = await exportWithLinks({
            files: { ...files, ...draft },
            links: { ...links, "new.draft.md": "..data/new.draft.md" },
        });
        assert.ok(Array.isArray(published), String(published));
        assert.ok(!published.some((file) => file.startsWith("new.draft")), published.join(" "));
    });

    const never = "this link leads to a file or folder that is never published";
    const refused: [string, Links, string][] = [
        ["a hidden file of it", { ...links, "s.txt": "..data/.mintignore" }, "s.txt"],
        ["a hidden folder that is called as its data", { "..data": ".git", "s.txt": "..data/config" }, "s.txt"],
        ["its data where no link names them", { "s.txt": `${data}/guide.md` }, "s.txt"],
    ];
    for (const [what, all, link] of refused) {
        it(`does not publish a link to ${what}`, async () => {
            const warnings: string[] = [];
            const published = await exportWithLinks({ files, links: all }, warnings);
            assert.ok(Array.isArray(published), String(published));
            assert.ok(!published.includes(link), published.join(" "));
            assert.deepEqual(warnings, [`${link}: ${never}, so it is left out`]);
        });
    }
});
