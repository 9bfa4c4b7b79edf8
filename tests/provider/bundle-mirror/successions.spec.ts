import assert from "node:assert/strict";
import { afterUpdate, EarlierCopies } from "../../../provider/src/bundle-mirror/earlier-copies.js";
import type { MirrorInputs, MirrorState } from "../../../provider/src/bundle-mirror/model.js";

const inputs: MirrorInputs = { jobId: "se_2", bucket: "docs", prefix: "a/", endpoint: "https://old.example.com" };
const stateOf = (state: Partial<MirrorState> = {}): MirrorState =>
    ({ ...inputs, jobId: "se_1", key: "a/se_1.tar.gz", ...state }) as MirrorState;

describe("The copies that a replaced mirror leaves", () => {
    let earlier: EarlierCopies;
    beforeEach(() => {
        earlier = new EarlierCopies();
    });

    const replace = (before: MirrorState, after: MirrorInputs) => {
        earlier.willReplace(before, after);
        return earlier.wasMade(after);
    };

    it("are kept up to the limit, newest first, without the served copy and without doubles", () => {
        const before = stateOf({ earlierJobIds: ["se_0", "se_2", "se_1"], surplusJobIds: ["se_x", "se_y"] });
        assert.deepEqual(replace(before, { ...inputs, keep: 2 }), {
            earlierJobIds: ["se_1", "se_0"],
            surplusJobIds: ["se_x", "se_y"],
        });
        assert.deepEqual(replace(before, { ...inputs, pin: "se_0", keep: 9 }), {
            earlierJobIds: ["se_1", "se_2", "se_x", "se_y"],
            surplusJobIds: [],
        });
    });

    it("are not counted without a limit, or in another folder, bucket or storage", () => {
        assert.deepEqual(replace(stateOf({ earlierJobIds: ["se_0"] }), inputs), {});
        for (const place of [{ prefix: "b/" }, { bucket: "other" }, { endpoint: "https://new.example.com" }]) {
            const none = { earlierJobIds: [], surplusJobIds: [] };
            assert.deepEqual(replace(stateOf({ earlierJobIds: ["se_0"] }), { ...inputs, ...place, keep: 2 }), none);
        }
    });

    it("are none for a mirror that replaces no other", () => {
        assert.deepEqual(earlier.wasMade({ ...inputs, keep: 2 }), { earlierJobIds: [], surplusJobIds: [] });
        assert.deepEqual(earlier.wasMade(inputs), {});
    });

    it("follow a change of the limit", () => {
        const olds = stateOf({ earlierJobIds: ["se_0"], surplusJobIds: ["se_x"] });
        assert.deepEqual(afterUpdate(olds, { ...inputs, keep: 1 }), {
            earlierJobIds: ["se_0"],
            surplusJobIds: ["se_x"],
        });
        assert.deepEqual(afterUpdate(stateOf(), { ...inputs, keep: 1 }), { earlierJobIds: [], surplusJobIds: [] });
        assert.deepEqual(afterUpdate(olds, inputs), {});
    });

    it("are remembered as surplus for twenty exports at most", () => {
        const surplusJobIds = Array.from({ length: 40 }, (_, at) => `se_${100 + at}`);
        const { surplusJobIds: left = [] } = afterUpdate(stateOf({ surplusJobIds }), { ...inputs, keep: 1 });
        assert.deepEqual(left, surplusJobIds.slice(1, 21));
    });

    it("may be removed once the replaced mirror of the same folder is deleted, and its successor has a limit", () => {
        const before = stateOf({ earlierJobIds: ["se_0"] });
        const after = { ...inputs, keep: 1 };
        earlier.willReplace(before, after);
        assert.equal(earlier.successorOf(before), undefined, "the new copy is not complete");
        earlier.wasMade(after);
        assert.deepEqual(earlier.successorOf(before), { inputs: after, surplusJobIds: ["se_0"] });
        const others: MirrorInputs[] = [
            { ...inputs, jobId: "se_9" },
            { ...inputs, jobId: "se_1", bucket: "other" },
            { ...inputs, jobId: "se_1", prefix: "b/" },
            { ...inputs, jobId: "se_1", endpoint: "https://new.example.com" },
        ];
        for (const other of others) {
            assert.equal(earlier.successorOf(stateOf(other)), undefined);
        }
    });

    it("stay without a limit, and in a folder that the program has left", () => {
        replace(stateOf(), inputs);
        assert.equal(earlier.successorOf(stateOf()), undefined);
        replace(stateOf({ prefix: "b/" }), { ...inputs, keep: 1 });
        assert.equal(earlier.successorOf(stateOf({ prefix: "b/" })), undefined);
    });

    it("name no surplus if there is none", () => {
        const after = { ...inputs, keep: 5 };
        replace(stateOf(), after);
        assert.deepEqual(earlier.successorOf(stateOf()), { inputs: after, surplusJobIds: [] });
    });
});

describe("A copy of a deleted mirror", () => {
    const moved = { ...inputs, endpoint: "https://new.example.com" };

    it("is served while a mirror of the program has its address, through any endpoint", () => {
        const earlier = new EarlierCopies();
        earlier.serve(inputs);
        assert.equal(earlier.isServed(moved), true);
        assert.equal(earlier.isServed({ ...inputs, jobId: "se_3" }), false);
    });

    it("is reached through the mirror that has replaced it, if the program reaches the storage in another way", () => {
        for (const change of [
            { endpoint: "https://new.example.com" },
            { region: "eu-central-1" },
            { pathStyle: false },
        ]) {
            const earlier = new EarlierCopies();
            const after = { ...inputs, bucket: "other", ...change };
            earlier.willReplace(stateOf(), after);
            assert.equal(earlier.movedFrom(stateOf()), undefined, "the new copy is not complete");
            earlier.wasMade(after);
            assert.equal(earlier.movedFrom(stateOf()), after);
            assert.equal(earlier.movedFrom(stateOf({ jobId: "se_9" })), undefined, "another mirror's copy");
        }
    });

    it("is reached through a mirror of the same folder of the same bucket", () => {
        const earlier = new EarlierCopies();
        earlier.serve({ ...moved, bucket: "other" });
        earlier.serve({ ...moved, prefix: "b/" });
        assert.equal(earlier.movedFrom(stateOf()), undefined);
        earlier.serve(moved);
        assert.equal(earlier.movedFrom(stateOf()), moved);
        const { prefix, ...inDefaultFolder } = moved;
        earlier.serve(inDefaultFolder);
        assert.equal(earlier.movedFrom(stateOf({ prefix: "static-exports/" })), inDefaultFolder);
    });

    it("is not reached in another way if the program still uses the old one", () => {
        const earlier = new EarlierCopies();
        earlier.serve(inputs);
        assert.equal(earlier.movedFrom(stateOf()), undefined);
    });
});
