import assert from "node:assert/strict";
import { previewDomainOf, resolvePreviewDomains } from "../../../service/src/updates/previews.js";

const sites = new Map([
    [
        "docs.example.com",
        { source: { url: "https://git.example.com/docs", branch: "main", folder: "." }, basePath: undefined },
    ],
    [
        "api.example.com",
        { source: { url: "https://git.example.com/api", branch: "main", folder: "." }, basePath: undefined },
    ],
    ["folder.example.com", { source: "/srv/docs", basePath: undefined }],
]);

describe("The domain of a branch's preview", () => {
    const below = "previews.example.com";

    it("begins with the branch name if that name is a valid host name label", () => {
        assert.equal(previewDomainOf("pr-12", below), `pr-12.${below}`);
    });

    it("differs for branch names that differ only in characters that host names do not allow", () => {
        const branches = ["feature/new", "feature-new", "Feature-new", "feature--new", "feature_new", "ü", "ö"];
        const domains = branches.map((branch) => previewDomainOf(branch, below));
        assert.equal(new Set(domains).size, branches.length, domains.join(", "));
        for (const domain of domains) {
            assert.match(domain, /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.previews\.example\.com$/);
        }
    });

    it("differs for a branch whose name equals the first label of another branch's domain", () => {
        const [label = ""] = previewDomainOf("feature/new", below).split(".");
        assert.notEqual(previewDomainOf(label, below), previewDomainOf("feature/new", below));
    });

    it("is a valid host name even for the longest branch names", () => {
        const [label = ""] = previewDomainOf("a".repeat(200), below).split(".");
        assert.equal(label.length, 63);
    });
});

describe("Preview domains", () => {
    it("are stored in the canonical spelling", () => {
        const resolved = resolvePreviewDomains({ "Docs.example.com": "Previews.example.com" }, sites);
        assert.deepEqual([...resolved], [["docs.example.com", "previews.example.com"]]);
    });

    const refused: [string, Record<string, string>, RegExp][] = [
        [
            "of an unknown site",
            { "a.example.com": "p.example.com" },
            /a\.example\.com is not a site.*docs\.example\.com/,
        ],
        ["of a folder", { "folder.example.com": "p.example.com" }, /is a folder and has no branches.*git\+https/],
        ["that are not host names", { "docs.example.com": "https://p" }, /must be a host name/],
        ["that leave no room for a branch", { "docs.example.com": `${"a.".repeat(100)}com` }, /room for a branch/],
        [
            "with a site below them",
            { "docs.example.com": "example.com" },
            /the domain already contains site docs\.example\.com/,
        ],
        [
            "that two sites share",
            { "docs.example.com": "p.example.com", "api.example.com": "p.example.com" },
            /the domain already has the previews of another site/,
        ],
    ];
    for (const [name, given, message] of refused) {
        it(`${name} are refused`, () => {
            assert.throws(() => resolvePreviewDomains(given, sites), message);
        });
    }
});
