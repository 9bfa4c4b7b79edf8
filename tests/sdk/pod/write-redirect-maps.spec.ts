import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeRedirectMaps } from "../../../sdk/src/pod/write-redirect-maps.js";
import { withFolder } from "../../exporter/support/site-fixture.js";

/** @returns the entries for nginx, and what is left out */
async function read(map: string): Promise<{ taken: string[]; leftOut: string[] }> {
    return withFolder(async (folder) => {
        const leftOut = writeRedirectMaps(map, folder);
        const texts = (await readdir(folder)).sort().map((file) => readFile(join(folder, file), "utf8"));
        const taken = (await Promise.all(texts)).flatMap((text) => text.trim().split("\n"));
        return { taken, leftOut };
    });
}

/** Harmful redirects, and the pods' message for each. */
const hostile: { title: string; line: string; says: RegExp }[] = [
    { title: "a directive", line: '"/a" "/b"; } server { listen 81;', says: /not of the form/ },
    { title: "two entries", line: '"/a" "/b"; "/c" "/d";', says: /not of the form/ },
    { title: "another file", line: "include /etc/passwd;", says: /not of the form/ },
    { title: "a default for all addresses", line: 'default "https://evil.example";', says: /not of the form/ },
    { title: "a carriage return", line: '"/a" "/b\rset-cookie:x";', says: /not lead to an address/ },
    { title: "a byte of zero", line: '"/a" "/b\0c";', says: /not lead to an address|not of the form/ },
    { title: "a variable of nginx", line: '"/a" "/$document_root";', says: /not lead to an address/ },
    { title: "a capture that there is not", line: '"~^/a/(?<p1>[^/]+)$" "/${p2}";', says: /not lead to an address/ },
    { title: "a capture in a plain entry", line: '"/a" "/${p1}";', says: /not lead to an address/ },
    {
        title: "a host of the visitor's choice",
        line: '"~^/a/(?<p1>.*)$" "https://${p1}/";',
        says: /not lead to an address/,
    },
    {
        title: "half a host of the visitor's",
        line: '"~^/a/(?<p1>.*)$" "https://a.${p1}";',
        says: /not lead to an address/,
    },
    {
        title: "a host in front of another",
        line: '"/a" "https://docs.example.com@evil.example/";',
        says: /not lead to an address/,
    },
    { title: "a host without a scheme", line: '"/a" "//evil.example";', says: /not lead to an address/ },
    { title: "a backslash", line: '"/a" "/\\evil.example";', says: /not lead to an address/ },
    { title: "a script", line: '"/a" "javascript:alert(1)";', says: /not lead to an address/ },
    { title: "a wrong regular expression", line: '"~^/a(b$" "/c";', says: /not supported/ },
    { title: "a slow regular expression", line: '"~^/(a+)+$" "/c";', says: /not supported/ },
    { title: "many wide captures", line: '"~^/(?<p1>.*)/(?<p2>.*)/c$" "/d";', says: /more than one \.\*/ },
    { title: "two captures in a segment", line: '"~^/(?<p1>[^/]+)-(?<p2>[^/]+)$" "/c";', says: /not supported/ },
    { title: "a wide capture in a segment", line: '"~^/a-(?<p1>.*)$" "/c";', says: /not supported/ },
    { title: "a capture of another name", line: '"~^/a/(?<uri>.*)$" "/c";', says: /not supported/ },
    { title: "a long address", line: `"/${"a".repeat(4100)}" "/b";`, says: /too long/ },
    { title: "a capture twice in a segment", line: '"~^/(?<p1>[^/]+)-(?<p1>[^/]+)$" "/c";', says: /not supported/ },
    { title: "the site's own beginning", line: '"/" "/b";', says: /source is not an address/ },
    { title: "a source without a slash", line: '"old/page" "/b";', says: /source is not an address/ },
    { title: "a pattern without a beginning", line: '"/a~^/b$" "/c";', says: /source is not an address/ },
    { title: "a pattern without an end", line: '"~^/a$b" "/c";', says: /source is not an address/ },
    { title: "a brace", line: '"/a{b" "/c";', says: /source is not an address/ },
    { title: "a port that is no number", line: '"/a" "https://example.com:80a/";', says: /not lead to an address/ },
    { title: "itself", line: '"/a" "/a";', says: /leads to itself/ },
    { title: "an address twice", line: '"/old" "/elsewhere";', says: /earlier line/ },
    { title: "an address in another case", line: '"/OLD" "/elsewhere";', says: /earlier line/ },
];

describe("The redirects of a bundle", () => {
    it("are written again from their parts", async () => {
        const lines = [
            '"/old" "/new";',
            '"~^/v1/(?<p1>[^/]+)/a\\.b/(?<p2>.*)$" "/v2/${p2}#${p1}";',
            '"~^/Old\\.page$" "https://example.com";',
            '"/price-in-$?" "/new";',
            '"~^/\\$/(?<p1>[^/]+)$" "/v2/${p1}";',
            '"~^/page-(?<p1>[^/]+)\\.html$" "/pages/${p1}";',
        ];
        assert.deepEqual(await read(lines.join("\n")), {
            taken: [
                '"/old" "/old /new";',
                '"/Old.page" "/Old.page https://example.com";',
                '"~^/v1/(?<p1>[^/]+)/a\\.b/(?<p2>.*)$" "/v2/${p2}#${p1}";',
                '"~^/price-in-\\$\\?$" "/new";',
                '"~^/\\$/(?<p1>[^/]+)$" "/v2/${p1}";',
                '"~^/page-(?<p1>[^/]+)\\.html$" "/pages/${p1}";',
            ],
            leftOut: [],
        });
    });

    for (const { title, line, says } of hostile) {
        it(`exclude ${title}`, async () => {
            const { taken, leftOut } = await read(['"/old" "/new";', line, '"/last" "/new";'].join("\n"));
            assert.deepEqual(taken, ['"/old" "/old /new";', '"/last" "/last /new";']);
            assert.match(leftOut.join(), /^line 2 is left out: /);
            assert.match(leftOut.join(), says);
            assert.doesNotMatch(leftOut.join(), /evil|passwd|listen/);
        });
    }

    it("may lead to the site's own beginning, and to another site without TLS or at a port", async () => {
        const destinations = ["/", "http://example.com", "https://example.com:8443/x", "https://example.com?x"];
        const lines = destinations.map((to, at) => `"/${at}" "${to}";`);
        assert.deepEqual(await read(lines.join("\n")), {
            taken: destinations.map((to, at) => `"/${at}" "/${at} ${to}";`),
            leftOut: [],
        });
    });

    it("are limited to 500 patterns", async () => {
        const patterns = Array.from({ length: 501 }, (_, at) => `"~^/${at}/(?<p1>.*)$" "/\${p1}";`);
        const { taken, leftOut } = await read(patterns.join("\n"));
        assert.equal(taken.length, 500);
        assert.deepEqual(leftOut, ["line 501 is left out: the pods accept no more patterns"]);
    });

    it("are split into 64 maps that nginx accepts, and limited to those", async () => {
        // 31 such entries of 1,932 bytes fit into one map.
        const lines = Array.from({ length: 64 * 31 + 1 }, (_, at) => `"/${String(at).padStart(1899, "a")}" "/new";`);
        const { taken, leftOut } = await read(lines.join("\n"));
        assert.equal(taken.length, 64 * 31);
        assert.deepEqual(leftOut, [`line ${64 * 31 + 1} is left out: the pods accept no more redirects`]);
    });

    it("fill a map to its last byte, and begin the next one with the next redirect", async () => {
        // An entry counts 32 bytes more than its source.
        const lines = Array.from({ length: 31 }, (_, at) => `"/${String(at).padStart(1967, "a")}" "/new";`);
        await withFolder(async (folder) => {
            assert.deepEqual(writeRedirectMaps(lines.join("\n"), folder), []);
            const full = await readFile(join(folder, "exact-0.map"), "utf8");
            assert.equal(full.trim().split("\n").length, 30);
            assert.match(await readFile(join(folder, "exact-1.map"), "utf8"), /^"\/a+30" "[^"]+";\n$/);
        });
    });

    it("may have lines of 2,000 bytes", async () => {
        const line = (bytes: number) => `"/${"a".repeat(bytes - 11)}" "/new";`;
        assert.equal(line(2000).length, 2000);
        assert.deepEqual((await read(line(2000))).leftOut, []);
        assert.match((await read(line(2001))).leftOut.join(), /too long/);
    });

    it("name only the first lines that are left out", async () => {
        const { leftOut } = await read("}\n".repeat(1000));
        assert.equal(leftOut.length, 6);
        assert.equal(leftOut.at(-1), "995 more lines are left out");
        assert.equal((await read("}\n".repeat(5))).leftOut.length, 5);
    });

    it("are none if the map is not text", async () => {
        const bytes = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7) % 256));
        assert.deepEqual((await read(bytes.toString("latin1"))).taken, []);
    });
});
