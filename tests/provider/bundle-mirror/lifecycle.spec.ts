import assert from "node:assert/strict";
import { MirrorLifecycle, type MirrorRuntime } from "../../../provider/src/bundle-mirror/lifecycle.js";
import type { MirrorInputs, MirrorState } from "../../../provider/src/bundle-mirror/model.js";
import { EngineWatch } from "../../../provider/src/engine/engine-watch.js";
import { FakeClock } from "../../fake-clock.js";

const sha256 = "ab".repeat(32);
const inputs: MirrorInputs = { jobId: "se_42", bucket: "docs" };

/** A mirror's lifecycle whose bucket has complete copies, so that nothing is downloaded. */
class KnownCopies {
    readonly clock = new FakeClock();
    readonly lines: string[] = [];
    readonly served: string[] = [];
    readonly removed: string[] = [];
    /** The storages that were opened and not closed. */
    open = 0;
    readonly lifecycle: MirrorLifecycle;

    constructor(keys: readonly string[] = ["static-exports/se_42.tar.gz"]) {
        const storage = {
            find: (key: string) => Promise.resolve(keys.includes(key) ? { etag: '"e"', sizeBytes: 5 } : undefined),
            readText: () => Promise.resolve({ text: `${sha256}  x\n`, metadata: { etag: "e", "size-bytes": "5" } }),
            presign: (key: string, seconds: number, nowMs: number) =>
                Promise.resolve({ url: `https://docs.example.com/${key}?signed`, expiresAtMs: nowMs + seconds * 1000 }),
            remove: (key: string) => Promise.resolve(void this.removed.push(key)),
            close: () => void (this.open -= 1),
        };
        this.lifecycle = new MirrorLifecycle({
            connect: () => assert.fail("no download was expected"),
            openStorage: () => {
                this.open += 1;
                return Promise.resolve(storage);
            },
            engine: new EngineWatch(undefined),
            journal: {
                serve: (address: string) => Promise.resolve(void this.served.push(address)),
                isServedElsewhere: () => Promise.resolve(false),
            },
            clock: this.clock,
            log: (line: string) => this.lines.push(line),
            signal: new AbortController().signal,
        } as unknown as MirrorRuntime);
    }

    async create(changes: Partial<MirrorInputs> = {}): Promise<MirrorState> {
        return (await this.lifecycle.create({ ...inputs, ...changes })).outs as MirrorState;
    }
}

describe("BundleMirror, with a complete copy in its bucket,", () => {
    it("has the copy's digest, and a link that is signed again after half of its lifetime", async () => {
        const copies = new KnownCopies();
        assert.deepEqual(await copies.create({ urlExpirySeconds: 3600 }), {
            ...inputs,
            urlExpirySeconds: 3600,
            key: "static-exports/se_42.tar.gz",
            sha256,
            sizeBytes: 5,
            url: "https://docs.example.com/static-exports/se_42.tar.gz?signed",
            urlExpiresAt: "2026-11-20T13:00:00.000Z",
            urlRenewAt: "2026-11-20T12:30:00.000Z",
        });
        assert.equal(copies.open, 0, "the storage is closed");
    });

    it("has the public address of the copy, which never expires", async () => {
        const state = await new KnownCopies().create({ publicUrl: "https://cdn.example.com/docs//" });
        assert.equal(state.url, "https://cdn.example.com/docs/static-exports/se_42.tar.gz");
        assert.deepEqual([state.urlExpiresAt, state.urlRenewAt], [undefined, undefined]);
    });

    it("says when it is made that its run serves the copy, and not again in an update", async () => {
        const copies = new KnownCopies();
        const state = await copies.create();
        await copies.lifecycle.update("id", state, { ...inputs, urlExpirySeconds: 60 });
        assert.deepEqual(copies.served, ["s3://docs/static-exports/se_42.tar.gz"]);
    });

    it("is read while the copy exists", async () => {
        const copies = new KnownCopies();
        const state = await copies.create();
        assert.deepEqual(await copies.lifecycle.read("id", state), { id: "id", props: state });
        assert.deepEqual(await new KnownCopies([]).lifecycle.read("id", state), { id: "" });
    });

    it("removes surplus copies after its replacement, and nothing if there are none", async () => {
        const copies = new KnownCopies(["static-exports/se_42.tar.gz", "static-exports/se_43.tar.gz"]);
        const olds = { ...(await copies.create({ keep: 1 })), earlierJobIds: ["se_41"] };
        const news = { ...inputs, jobId: "se_43", keep: 1 };
        await copies.lifecycle.diff("id", olds, news);
        await copies.create(news);
        await copies.lifecycle.delete("id", olds);
        assert.deepEqual(copies.removed, ["static-exports/se_41.tar.gz.sha256", "static-exports/se_41.tar.gz"]);
        assert.deepEqual(copies.lines, [
            "s3://docs: at most 1 earlier copies stay next to s3://docs/static-exports/se_43.tar.gz",
        ]);
        const alone = new KnownCopies(["static-exports/se_43.tar.gz"]);
        const first = { ...olds, earlierJobIds: [] };
        await alone.lifecycle.diff("id", first, news);
        await alone.create(news);
        await alone.lifecycle.delete("id", first);
        assert.deepEqual([alone.removed, alone.lines, alone.open], [[], [], 0]);
    });

    it("counts no copies for a change that replaces nothing", async () => {
        const copies = new KnownCopies();
        const olds = { ...(await copies.create({ keep: 1 })), earlierJobIds: ["se_41"] };
        await copies.lifecycle.diff("id", olds, { ...inputs, keep: 2 });
        const { outs } = await copies.lifecycle.create({ ...inputs, keep: 2 });
        assert.deepEqual((outs as MirrorState).earlierJobIds, []);
    });
});
