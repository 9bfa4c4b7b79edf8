import assert from "node:assert/strict";
import { waitUntil } from "../../wait-until.js";
import { EdgeFixture, type Files } from "./support/edge-fixture.js";

const accessOf = (files: Readonly<Record<string, readonly string[]>>) => {
    const lines = Object.entries(files).map(
        ([file, groups]) => `    "${file}": [${groups.map((each) => `"${each}"`).join(", ")}]`,
    );
    return `{\n  "formatVersion": 1,\n  "files": {\n${lines.join(",\n")}\n  }\n}\n`;
};
const host = "docs.example.com";
const files: Files = {
    "index.html": "home",
    "404.html": "none",
    "staff.html": "for staff",
    "staff.md": "# for staff",
    "signed-in.html": "for everybody who is signed in",
    "team/index.html": "for the team",
    "access.json": accessOf({
        "staff.html": ["staff", "admins"],
        "staff.md": ["staff", "admins"],
        "signed-in.html": [],
        "team/index.html": ["team"],
    }),
};
const signInUrl = "https://login.example.com/start?rd=https://docs.example.com{path}";

describe("documentation-sites: restricted pages", function () {
    this.timeout(60_000);
    const edge = EdgeFixture.use({
        access: { header: { groups: "X-Groups", user: "X-User", signInUrl } },
        networkPolicy: { ingressFrom: [{ namespaceSelector: {} }] },
    });
    const get = (path: string, headers: Files = {}) => edge().get(host, path, headers);
    const staff = { "x-user": "ada", "x-groups": "writers,staff" };

    before(() => edge().publish(host, files, { access: "edge" }));

    it("include hashed files of the previous release for readers who may read both releases", async () => {
        const other = "before.example.com";
        const [secret, open] = ["plan.1111111a.svg", "logo.2222222b.svg"];
        const first = accessOf({ [secret]: ["staff"], "staff.html": ["staff"] });
        const site = { "index.html": "one", "staff.html": "s", [secret]: "plan", [open]: "logo" };
        await edge().publish(other, { ...site, "access.json": first }, { access: "edge" });
        const second = accessOf({ "staff.html": ["staff"] });
        const next = { "index.html": "two", "staff.html": "s", "access.json": second };
        await edge().publish(other, next, { access: "edge" });
        await waitUntil("it serves two", async () => (await edge().get(other, "/")).text === "two");
        assert.equal((await edge().get(other, `/${open}`)).text, "logo");
        assert.equal((await edge().get(other, `/${secret}`)).status, 401);
        const { status, text, headers } = await edge().get(other, `/${secret}`, staff);
        assert.deepEqual([status, text, headers["cache-control"]], [200, "plan", "private, no-cache"]);
        const closed = { ...next, "index.html": "three", "access.json": accessOf({ [open]: ["admins"] }) };
        await edge().publish(other, { ...closed, [open]: "logo" }, { access: "edge" });
        await waitUntil("it serves three", async () => (await edge().get(other, "/")).text === "three");
        assert.equal((await edge().get(other, `/${open}`)).status, 401);
    });

    it("are served to readers in a permitted group, and are not stored by any cache on the way", async () => {
        for (const [path, headers] of [
            ["/staff", staff],
            ["/staff.html", { "x-groups": "admins" }],
            ["/signed-in", { "x-user": "bob" }],
            ["/team/", { "x-groups": "team" }],
        ] as const) {
            const answer = await get(path, headers);
            assert.deepEqual([answer.status, answer.headers["cache-control"]], [200, "private, no-cache"], path);
            assert.equal(answer.headers.vary, "Cookie, X-Groups, X-User, Accept");
        }
    });

    it("return 404 to readers outside the groups, even after a permitted reader has read the pages", async () => {
        assert.equal((await get("/staff", staff)).text, "for staff");
        for (const groups of [
            "writers",
            "staffs",
            "sta",
            "staff2,xstaff",
            "staff, admins",
            "",
            "STAFF",
            "staff|admins",
        ]) {
            const { status, text } = await get("/staff", { "x-user": "eve", "x-groups": groups });
            assert.deepEqual([status, text], [404, "none"], groups);
        }
        const markdown = await get("/staff", { "x-user": "eve", "x-groups": "x", accept: "text/markdown" });
        assert.equal(markdown.status, 404);
        assert.equal((await get("/team", { "x-user": "eve" })).status, 404);
    });

    it("are indistinguishable from missing pages for readers who are not signed in", async () => {
        const answers = await Promise.all(["/staff", "/none", "/team", "/staff.md"].map((path) => get(path)));
        const [first, ...others] = answers.map(({ status, text, headers }) => [status, text, headers["cache-control"]]);
        assert.deepEqual([first![0], first![2]], [401, "private, no-cache"]);
        for (const other of others) {
            assert.deepEqual(other, first);
        }
        const page = await get("/staff?a=b", { accept: "text/html" });
        assert.equal(page.status, 302);
        assert.equal(page.headers.location, "https://login.example.com/start?rd=https://docs.example.com/staff");
    });

    it("do not affect public pages", async () => {
        const { status, headers } = await get("/");
        assert.deepEqual([status, headers["cache-control"]], [200, "no-cache"]);
    });

    it("never expose the access list", async () => {
        const keys = await edge().server.keys();
        const list = keys.find((key) => key.endsWith("access.json"))!;
        const path = list.slice(list.indexOf("releases"));
        for (const address of [
            "/access.json",
            "/.static-export/access.json",
            `/${path}`,
            `/${path.replace(".static", "%2estatic")}`,
        ]) {
            const { status, text } = await get(address, { ...staff });
            assert.equal(status, 404, address);
            assert.doesNotMatch(text, /formatVersion/);
        }
    });

    for (const [what, list] of [
        [
            "has an entry that is not on a line of its own",
            accessOf({ "a.html": [] }).replace("[]\n", '[], "staff.html": ["staff"]\n'),
        ],
        ["is on one line", '{"formatVersion":1,"files":{"staff.html":["staff"]}}'],
        ["is truncated", accessOf({ "staff.html": ["staff"] }).slice(0, -5)],
        ["escapes a name", accessOf({ "st\\u0061ff.html": ["staff"] })],
        ["names a file twice", accessOf({ "staff.html": ["staff"] }).replace('"]\n', '"],\n    "staff.html": []\n')],
        ["is of a later format", accessOf({ "staff.html": ["staff"] }).replace("1", "2")],
        ["is missing", undefined],
    ] as const) {
        it(`close the whole site if the access list ${what}`, async () => {
            const other = `odd-${what.toLowerCase().replace(/\W+/g, "-")}.example.com`;
            const { release } = await edge().publish(other, files, { access: "edge" });
            await edge().write(other, release.access!, list ?? "");
            if (list === undefined) {
                await edge().remove(other, release.access!);
            }
            assert.equal((await edge().get(other, "/staff")).status, 503);
            assert.equal((await get("/")).status, 200);
        });
    }
});

describe("documentation-sites: restricted pages, if no proxy signs readers in,", function () {
    this.timeout(60_000);
    const edge = EdgeFixture.use();

    it("cannot be read, regardless of a visitor's headers", async () => {
        await edge().publish(host, files, { access: "edge" });
        const { status } = await edge().get(host, "/staff", { "x-groups": "staff", "x-forwarded-groups": "staff" });
        assert.equal(status, 401);
        assert.equal((await edge().get(host, "/")).text, "home");
    });
});
