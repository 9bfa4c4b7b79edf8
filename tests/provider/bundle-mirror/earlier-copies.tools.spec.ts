import assert from "node:assert/strict";
import { EarlierCopies } from "../../../provider/src/bundle-mirror/earlier-copies.js";
import type { MirrorLifecycle } from "../../../provider/src/bundle-mirror/lifecycle.js";
import type { MirrorInputs, MirrorState } from "../../../provider/src/bundle-mirror/model.js";
import { MirrorFixture } from "./mirror-fixture.js";
import { archiveOf } from "./platform-server.js";

/** Successive runs of `pulumi up`, each in a separate process. */
class Stack {
    state: MirrorState | undefined;
    /** Replaced mirrors that Pulumi has yet to delete. */
    #replaced: MirrorState[] = [];

    constructor(
        readonly fixture: MirrorFixture,
        readonly inputs: Partial<MirrorInputs>,
    ) {}

    async up(change: Partial<MirrorInputs>, rollOut: () => unknown = () => undefined): Promise<void> {
        const { fixture } = this;
        const earlier = new EarlierCopies();
        // The plugin creates a lifecycle for each call.
        const journal = fixture.openJournal();
        const lifecycle = () => fixture.createLifecycle(earlier, journal);
        try {
            await this.#run(lifecycle, change, rollOut);
        } finally {
            journal.close();
        }
    }

    async #run(lifecycle: () => MirrorLifecycle, change: Partial<MirrorInputs>, rollOut: () => unknown): Promise<void> {
        const { fixture } = this;
        const news = { ...fixture.inputs, ...this.inputs, ...change };
        const olds = this.state;
        await lifecycle().check(news, news);
        const { changes, replaces } = olds ? await lifecycle().diff("id", olds, news) : { changes: true, replaces: [] };
        if (olds !== undefined && changes && replaces === undefined) {
            this.state = (await lifecycle().update("id", olds, news)).outs;
        } else if (changes) {
            this.state = (await lifecycle().create(news)).outs;
            this.#replaced.push(...(olds === undefined ? [] : [olds]));
        }
        await rollOut();
        for (const replaced of this.#replaced.splice(0)) {
            await lifecycle().delete("id", replaced);
        }
    }

    /** Runs an update whose rollout fails, so that Pulumi stops without deleting anything. */
    async failToRollOut(change: Partial<MirrorInputs>): Promise<void> {
        const failure = new Error("rolled back");
        const fail = () => {
            throw failure;
        };
        await assert.rejects(this.up(change, fail), failure);
    }
}

/** An address that nothing listens on. */
const goneEndpoint = "http://127.0.0.1:9";

describe("BundleMirror with deleteOnRemoval", function () {
    this.timeout(120_000);
    let fixture: MirrorFixture;

    before(async () => {
        fixture = await MirrorFixture.start();
        fixture.platform.serve(archiveOf(1000));
    });
    after(() => fixture.stop());

    const archives = async () => (await fixture.s3.keys()).filter((key) => key.endsWith(".tar.gz"));
    const isReported = () => fixture.lines.some((line) => line.includes(`moved away from ${goneEndpoint}`));

    /** Returns a stack with a mirror whose state names an endpoint that is gone. */
    async function stackWithGoneEndpoint(prefix: string): Promise<Stack> {
        const stack = new Stack(fixture, { prefix, deleteOnRemoval: true });
        await stack.up({ jobId: "se_1" });
        stack.state!.endpoint = goneEndpoint;
        return stack;
    }

    it("removes the old copy through the new endpoint if the old one is gone", async () => {
        const stack = await stackWithGoneEndpoint("moved/");
        await stack.up({ jobId: "se_2" });
        assert.deepEqual(await archives(), ["moved/se_2.tar.gz"]);
        assert.ok(isReported(), fixture.lines.join("\n"));
    });

    it("removes the old copy through the new endpoint also in a later update", async () => {
        const stack = await stackWithGoneEndpoint("later/");
        const replaced = stack.state!;
        await stack.failToRollOut({ jobId: "se_2" });
        await stack.up({ jobId: "se_2" });
        assert.ok(!(await archives()).includes("later/se_1.tar.gz"));
        assert.equal(replaced.endpoint, goneEndpoint);
    });

    it("reports a copy in another bucket at the endpoint that is gone, without an error", async () => {
        const stack = await stackWithGoneEndpoint("other/");
        stack.state!.bucket = "docs-of-the-past";
        fixture.lines.length = 0;
        await stack.up({ jobId: "se_2" });
        assert.ok(isReported(), fixture.lines.join("\n"));
        assert.match(fixture.lines.join("\n"), /If the old storage still exists, remove it there/);
    });

    it("fails to remove a copy if the program has not moved", async () => {
        const stack = await stackWithGoneEndpoint("fixed/");
        await assert.rejects(fixture.createLifecycle().delete("id", stack.state!), /ECONNREFUSED/);
    });
});

describe("BundleMirror with keep", function () {
    this.timeout(120_000);
    let fixture: MirrorFixture;
    let prefixes = 0;

    before(async () => {
        fixture = await MirrorFixture.start();
        fixture.platform.serve(archiveOf(1000));
    });
    after(() => fixture.stop());

    const stackWith = (inputs: Partial<MirrorInputs>) =>
        new Stack(fixture, { prefix: `docs-${++prefixes}/`, ...inputs });

    /** Lists the jobs whose copies are in a stack's folder, and checks that each copy has its digest. */
    async function jobsIn({ inputs: { prefix = "" } }: Stack): Promise<string[]> {
        const keys = (await fixture.s3.keys()).filter((key) => key.startsWith(prefix));
        const jobs = keys.filter((key) => !key.endsWith(".sha256")).map((key) => key.slice(prefix.length, -7));
        assert.equal(keys.length, jobs.length * 2);
        return jobs;
    }

    it("removes the oldest copies only after a successful rollout", async () => {
        const stack = stackWith({ keep: 2 });
        for (const jobId of ["se_1", "se_2", "se_3"]) {
            await stack.up({ jobId });
        }
        assert.deepEqual(stack.state?.earlierJobIds, ["se_2", "se_1"]);
        let during: string[] = [];
        await stack.up({ jobId: "se_4" }, async () => (during = await jobsIn(stack)));
        assert.deepEqual(during, ["se_1", "se_2", "se_3", "se_4"]);
        assert.deepEqual(await jobsIn(stack), ["se_2", "se_3", "se_4"]);
        assert.deepEqual(stack.state.earlierJobIds, ["se_3", "se_2"]);
    });

    it("keeps the served copy, even after many failed rollouts", async () => {
        const stack = stackWith({ keep: 1 });
        await stack.up({ jobId: "se_1" });
        for (const jobId of ["se_2", "se_3", "se_4"]) {
            await stack.failToRollOut({ jobId });
        }
        await stack.up({ jobId: "se_4" });
        assert.deepEqual(await jobsIn(stack), ["se_1", "se_2", "se_3", "se_4"]);
        await stack.up({ jobId: "se_5" });
        assert.deepEqual(await jobsIn(stack), ["se_4", "se_5"]);
    });

    it("serves a pinned copy without the platform, never removes that copy, and copies when unpinned", async () => {
        const stack = stackWith({ keep: 1 });
        await stack.up({ jobId: "se_1" });
        await stack.up({ jobId: "se_2" });
        const { bundleRequests, downloads } = fixture.platform;
        await stack.up({ jobId: "se_2", pin: "se_1" });
        assert.match(stack.state!.url, /\/se_1\.tar\.gz\?/);
        assert.deepEqual(stack.state!.earlierJobIds, ["se_2"]);
        assert.deepEqual([fixture.platform.bundleRequests, fixture.platform.downloads], [bundleRequests, downloads]);
        // While a job is pinned, a new export is not copied.
        await stack.up({ jobId: "se_3", pin: "se_1" });
        assert.deepEqual(await jobsIn(stack), ["se_1", "se_2"]);
        await stack.up({ jobId: "se_3" });
        assert.deepEqual(stack.state!.earlierJobIds, ["se_1"]);
        assert.deepEqual(await jobsIn(stack), ["se_1", "se_3"]);
    });

    it("never removes a copy that it did not create, or that another mirror of the program serves", async () => {
        const stack = stackWith({ keep: 1 });
        await stackWith({ prefix: stack.inputs.prefix! }).up({ jobId: "se_0" });
        for (const jobId of ["se_1", "se_2"]) {
            await stack.up({ jobId });
        }
        const other = { ...fixture.inputs, ...stack.inputs, jobId: "se_1" };
        const earlier = new EarlierCopies();
        const lifecycle = fixture.createLifecycle(earlier);
        await lifecycle.check(other, other);
        const news = { ...other, jobId: "se_3" };
        await lifecycle.diff("id", stack.state!, news);
        await lifecycle.create(news);
        await lifecycle.delete("id", stack.state!);
        assert.deepEqual(await jobsIn(stack), ["se_0", "se_1", "se_2", "se_3"]);
    });

    it("does not delete any copy when the mirror is deleted, like a mirror without keep", async () => {
        const stack = stackWith({ keep: 1 });
        await stack.up({ jobId: "se_1" });
        await stack.up({ jobId: "se_2" });
        await fixture.createLifecycle().delete("id", stack.state!);
        assert.deepEqual(await jobsIn(stack), ["se_1", "se_2"]);
    });

    it("applies a new keep value in place, starting with the next export", async () => {
        const stack = stackWith({ keep: 3 });
        for (const jobId of ["se_1", "se_2", "se_3"]) {
            await stack.up({ jobId });
        }
        await stack.up({ jobId: "se_3", keep: 1 });
        assert.deepEqual(await jobsIn(stack), ["se_1", "se_2", "se_3"]);
        await stack.up({ jobId: "se_4", keep: 1 });
        assert.deepEqual(await jobsIn(stack), ["se_3", "se_4"]);
    });

    it("reports a failed removal, and retries it after the next export", async () => {
        const stack = stackWith({ keep: 1 });
        const rights = ["s3:GetObject", "s3:PutObject", "s3:ListBucket"];
        const user = { accessKeyId: "no-removals", secretAccessKey: "s3cr3t-of-the-user" };
        await fixture.s3.addUser(user, rights);
        const { credentials } = fixture;
        fixture.credentials = user;
        for (const jobId of ["se_1", "se_2", "se_3"]) {
            await stack.up({ jobId });
        }
        assert.match(
            fixture.lines.join("\n"),
            /Could not remove earlier copies\. The next export tries again\. .*DeleteObject failed.*s3:DeleteObject/,
        );
        assert.deepEqual(await jobsIn(stack), ["se_1", "se_2", "se_3"]);
        fixture.credentials = credentials;
        await stack.up({ jobId: "se_4" });
        assert.deepEqual(await jobsIn(stack), ["se_3", "se_4"]);
    });
});
