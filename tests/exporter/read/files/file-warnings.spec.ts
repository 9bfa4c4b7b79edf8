import assert from "node:assert/strict";
import { warningsOf, withExport } from "../../support/site-fixture.js";

const lfsPointer =
    "version https://git-lfs.github.com/spec/v1\n" +
    "oid sha256:1a6a72c48f1caa962be3c23f65c703a18aa9c0f28a191b6def381f53e4d4c159\n" +
    "size 82828\n";

describe("A file of a site", () => {
    it("is a warning if it is a pointer of Git LFS, as a picture, a page or a download", async () => {
        const files = {
            "index.md": "# Home\n\n![Screen](/images/screen.png)\n",
            "images/screen.png": lfsPointer,
            "files/demo.mp4": lfsPointer,
            "large.md": lfsPointer,
            "images/small.svg": "<svg/>",
        };
        const pointer =
            "this is a pointer of Git LFS instead of the file: run git lfs pull before the export, " +
            "or let the checkout fetch LFS files";
        const warnings = (await warningsOf(files)).filter((each) => each.includes("LFS"));
        assert.deepEqual(warnings, [`files/demo.mp4: ${pointer}`]);
        await withExport(files, ({ warnings: found }) => {
            const places = found.flatMap(({ file, reason, elsewhere }) =>
                reason === pointer ? [file, ...(elsewhere?.places ?? []).map((place) => place.file)] : [],
            );
            assert.deepEqual(places, ["files/demo.mp4", "images/screen.png", "large.md"]);
        });
    });

    it("is a warning if its name differs from another only in case", async () => {
        const rename = "so macOS and Windows store only one of the two: rename it";
        const files = { "index.md": "# Home", "About.md": "# A", "about.md": "# B", "a.png": "a", "A.png": "b" };
        assert.deepEqual(await warningsOf(files), [
            `a.png: its name differs from A.png only in case, ${rename}`,
            `about.md: its name differs from About.md only in case, ${rename}`,
        ]);
    });

    for (const name of ["con.md", "guides/AUX.md", "what*.md", "ab:c/c.md", "end./c.md"]) {
        it(`is a warning if Windows cannot store it: ${name}`, async () => {
            assert.deepEqual(await warningsOf({ "index.md": "# Home", [name]: "# A" }), [
                `${name}: Windows cannot store a file with this name: rename it`,
            ]);
        });
    }

    it("may have the name of a device within another name", async () => {
        const files = { "index.md": "# Home", "console.md": "# A", "com.example.md": "# B", "icon.md": "# C" };
        assert.deepEqual(await warningsOf(files), []);
    });

    it("is a warning in finished HTML, too", async () => {
        const files = { "index.html": "<h1>Home</h1>", "con.html": "<h1>A</h1>" };
        assert.deepEqual(await warningsOf(files), ["con.html: Windows cannot store a file with this name: rename it"]);
    });

    it("is a warning if it is an empty page", async () => {
        assert.deepEqual(await warningsOf({ "index.md": "# Home", "a.md": " \n" }), [
            "a.md: the page is empty: write its text, or remove the file",
        ]);
    });
});
