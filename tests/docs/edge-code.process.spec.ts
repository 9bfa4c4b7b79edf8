import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import ts from "typescript";
import { edgeAddresses } from "./support/edge-addresses.js";
import { codeBlocks } from "./support/documents.js";

/** Addresses of the site's records, which nobody may read. */
const records = [
    "/.static-export/site.json",
    "/%2estatic-export/site.json",
    "/.static%2Dexport/site.json",
    "/.static-export%2Fsite.json",
    "//.static-export/site.json",
];

describe("The worker of examples/cloudflare", () => {
    interface Worker {
        fetch(request: Request, env: object): Promise<Response>;
    }
    const files: Readonly<Record<string, string>> = {
        ...Object.fromEntries(edgeAddresses.map(([, file]) => [file, `the content of ${file}`])),
        "404.html": "missing",
        "old.html": "a page that redirects",
        ".static-export/site.json": "{}",
        "static-export/redirects.map": '"/old" "/start";\n"~^/v1/(?<p1>.*)$" "/${p1}";\n"/part" "/start?x=1#one";\n',
    };
    const SITE = {
        get: (key: string, { onlyIf }: { onlyIf?: Headers } = {}) => {
            const body = files[key.replace(/^site\//, "")];
            const httpEtag = `"${body}"`;
            const isSame = onlyIf?.get("if-none-match") === httpEtag;
            const writeHttpMetadata = (headers: Headers) => headers.set("content-type", "text/html; charset=utf-8");
            const object = { body: isSame ? undefined : body, httpEtag, writeHttpMetadata, text: () => body };
            return Promise.resolve(body === undefined ? null : object);
        },
    };
    let worker: Worker;
    before(async () => {
        const text = readFileSync("examples/cloudflare/worker.js");
        const url = `data:text/javascript;base64,${text.toString("base64")}`;
        worker = ((await import(url)) as { default: Worker }).default;
    });

    const get = async (path: string, headers: Record<string, string> = {}) => {
        const request = new Request(`https://docs.example.com${path}`, { headers });
        const response = await worker.fetch(request, { SITE, PREFIX: "site/" });
        return `${response.status} ${response.headers.get("location") ?? (await response.text())}`;
    };

    for (const [uri, expected] of edgeAddresses) {
        it(`answers with ${expected} when a reader requests ${uri}`, async () => {
            assert.equal(await get(`${uri}?q=1`), `200 ${files[expected]}`);
        });
    }

    it("redirects plain addresses and patterns, but never to a host named in the request's path", async () => {
        assert.equal(await get("/old"), "308 https://docs.example.com/start");
        assert.equal(await get("/v1/start"), "308 https://docs.example.com/start");
        assert.equal(await get("/v1//evil.example"), "404 missing");
    });

    it("keeps the query of a request, unless the target of the redirect has its own", async () => {
        assert.equal(await get("/old?q=1&r"), "308 https://docs.example.com/start?q=1&r");
        assert.equal(await get("/part?q=1"), "308 https://docs.example.com/start?x=1#one");
    });

    it("answers unknown addresses and the site's records with the not-found page", async () => {
        for (const path of ["/unknown", "/%", "/%ff", ...records]) {
            assert.deepEqual([path, await get(path)], [path, "404 missing"]);
        }
    });

    it("answers 304 if the browser already has the page", async () => {
        assert.equal(await get("/start", { "if-none-match": '"the content of start.html"' }), "304 ");
    });
});

describe("The CloudFront function in the guide", () => {
    type Handler = (event: { request: { uri: string } }) => { uri?: string; statusCode?: number };
    const block = codeBlocks("docs/guides/any-static-host.md").find(({ title }) => title === "add-extension.js");
    // CloudFront also calls the function by this name.
    // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
    const handler = new Function(`${block?.text}; return handler;`)() as Handler;

    for (const [uri, expected] of edgeAddresses) {
        it(`requests ${expected} from the storage when a reader requests ${uri}`, () => {
            assert.equal(handler({ request: { uri } }).uri, `/${expected}`);
        });
    }

    for (const uri of ["/%", ...records]) {
        it(`answers 404 for ${uri}`, () => assert.deepEqual(handler({ request: { uri } }), { statusCode: 404 }));
    }
});

describe("The CloudFront function of examples/aws", () => {
    const text = readFileSync("examples/aws/edge.js", "utf8");
    const store: Record<string, string> = {};
    type Answer = { uri?: string; statusCode?: number; headers?: Record<string, { value: string }> };
    let handler: (event: object) => Promise<Answer>;

    before(() => {
        const get = (key: string) =>
            key in store ? Promise.resolve(store[key]) : Promise.reject(new Error("KeyNotFound"));
        // Removes the import of CloudFront's module, which no package contains.
        const code = `${text.replace('import cf from "cloudfront";', "")}; return handler;`;
        // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
        handler = new Function("cf", code)({ kvs: () => ({ get }) }) as typeof handler;
    });
    beforeEach(() => {
        Object.keys(store).forEach((key) => delete store[key]);
        Object.assign(store, { release: "site/releases/4f2a/", "redirect:/old": "/start" });
    });
    const ask = (uri: string, querystring: object = {}) =>
        handler({ request: { method: "GET", uri, headers: {}, querystring } });

    for (const [uri, expected] of [
        ...edgeAddresses,
        ["/errors/404.html", "errors/404.html"],
        // The site's records are outside of the release.
        ["/.static-export/site.json", ".static-export/site.json"],
    ] as const) {
        it(`requests ${expected} from the release's folder when a reader requests ${uri}`, async () => {
            assert.equal((await ask(uri)).uri, `/site/releases/4f2a/${expected}`);
        });
    }

    it("serves another release as soon as the store contains it", async () => {
        store["release"] = "site/releases/9c1d/";
        assert.equal((await ask("/start")).uri, "/site/releases/9c1d/start.html");
    });

    it("redirects only addresses that have moved", async () => {
        const { statusCode, headers } = await ask("/old");
        assert.deepEqual([statusCode, headers], [301, { location: { value: "/start" } }]);
        assert.equal((await ask("/older")).statusCode, undefined);
    });

    it("keeps the query of a request, unless the target of the redirect has its own", async () => {
        store["redirect:/part"] = "/start?x=1#one";
        const twice = { value: "2", multiValue: [{ value: "2" }, { value: "3" }] };
        const query = { q: { value: "1" }, r: { value: "" }, s: twice };
        const locationOf = async (uri: string) => (await ask(uri, query)).headers?.["location"]?.value;
        assert.equal(await locationOf("/old"), "/start?q=1&r&s=2&s=3");
        assert.equal(await locationOf("/part"), "/start?x=1#one");
    });

    it("asks readers to retry later while no release exists", async () => {
        delete store["release"];
        const { statusCode, headers } = await ask("/");
        assert.deepEqual([statusCode, headers], [503, { "retry-after": { value: "30" } }]);
    });

    it("is written in CloudFront's JavaScript dialect, and within its limit of 10 KB", () => {
        assert.ok(Buffer.byteLength(text) < 10 * 1024);
        const unsupported: string[] = [];
        const visit = (node: ts.Node): void => {
            const isUnsupported =
                ts.isForOfStatement(node) ||
                ts.isClassLike(node) ||
                ts.isSpreadElement(node) ||
                ts.isSpreadAssignment(node) ||
                ts.isBindingElement(node) ||
                ts.isOptionalChain(node) ||
                (ts.isCatchClause(node) && node.variableDeclaration === undefined) ||
                (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken);
            if (isUnsupported) {
                unsupported.push(node.getText());
            }
            ts.forEachChild(node, visit);
        };
        visit(ts.createSourceFile("edge.js", text, ts.ScriptTarget.ES2022, true));
        assert.deepEqual(unsupported, []);
    });
});
