import assert from "node:assert/strict";
import { waitUntil } from "../../wait-until.js";
import { isLong } from "../../scale.js";
import { accessOf } from "./support/access-of.js";
import { EdgeFixture, type Files } from "./support/edge-fixture.js";

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

    it("are separated in the same way if the access list is long, without reading the whole list for each page", async () => {
        const [long, short] = ["long.example.com", "short.example.com"];
        const count = isLong ? 40_000 : 1500;
        const many = Object.fromEntries(Array.from({ length: count }, (_, index) => [`plans/${index}.html`, ["team"]]));
        const pages = Object.fromEntries(Object.keys(many).map((path) => [path, "plan"]));
        const site = {
            ...files,
            "access.json": accessOf({ "staff.html": ["staff"], "team/index.html": ["team"], ...many }),
        };
        const { release } = await edge().publish(long, { ...site, ...pages }, { access: "edge" });
        assert.ok(release.accessParts! >= 2);
        await edge().publish(short, files, { access: "edge" });
        for (const [path, headers, status] of [
            ["/", {}, 200],
            ["/staff", staff, 200],
            ["/staff", {}, 401],
            ["/team", staff, 404],
            ["/team", { "x-groups": "team" }, 308],
            ["/plans/7", { "x-groups": "team" }, 200],
            ["/plans/7.html", staff, 404],
            ["/none", staff, 404],
        ] as const) {
            assert.equal((await edge().get(long, path, headers)).status, status, `${path} ${JSON.stringify(headers)}`);
        }
        assert.equal((await edge().get(long, "/none", staff)).text, "none");
        const time = async (domain: string) => {
            const start = performance.now();
            for (let request = 0; request < 100; request += 1) {
                await edge().get(domain, "/staff", staff);
            }
            return performance.now() - start;
        };
        await Promise.all([time(long), time(short)]);
        const [ofLong, ofShort] = [await time(long), await time(short)];
        assert.ok(ofLong < ofShort * 3 + 200, `${ofLong} ms against ${ofShort} ms for 100 pages`);
    }).timeout(isLong ? 600_000 : 60_000);

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
