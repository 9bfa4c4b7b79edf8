import assert from "node:assert/strict";
import { UpdateLifecycle } from "../../../provider/src/documentation-update/lifecycle.js";
import type { UpdateInputs, UpdateState } from "../../../provider/src/documentation-update/model.js";
import { FakeUpdates } from "../support/fake-updates.js";
import { ProviderFixture, savedStateOf } from "../support/provider-fixture.js";

const pushed = "1111111111111111111111111111111111111111";
const inputs: UpdateInputs = { projectId: "docs", triggers: ["a"], __provider: "shim" };

describe("A DocumentationUpdate after a killed run", () => {
    let fixture: ProviderFixture<UpdateLifecycle, FakeUpdates>;
    beforeEach(() => {
        fixture = new ProviderFixture(
            (clock) => new FakeUpdates(clock),
            (runtime) => new UpdateLifecycle(runtime),
        );
    });
    afterEach(() => fixture.dispose());

    const create = async (given: UpdateInputs = inputs): Promise<UpdateState> =>
        (await fixture.lifecycle.create(given)).outs as UpdateState;
    /** Leaves only the journal: the state is lost. */
    const killedWhile = async (given: UpdateInputs = inputs) => {
        await savedStateOf(create({ ...given, timeoutSeconds: 1 }));
        fixture.restart();
    };
    const lines = () => fixture.lines.join("\n");

    it("adopts the update that still runs, and says which commit it published", async () => {
        await killedWhile();
        assert.equal((await create()).statusId, "du_1");
        assert.match(lines(), /^docs du_1: documentation update started$/m);
        assert.match(lines(), /^docs du_1: adopted: another run started it for the same inputs \d+ seconds? ago/m);
        assert.match(lines(), new RegExp(`^docs du_1: commit ${pushed} is published$`, "m"));
    });

    for (const [minutes, statusId] of [
        [59, "du_1"],
        [61, "du_2"],
    ] as const) {
        it(`${minutes < 60 ? "adopts" : "does not adopt"} an update of ${minutes} minutes ago`, async () => {
            await killedWhile();
            fixture.clock.pass(minutes * 60_000 + 30_000);
            assert.equal((await create()).statusId, statusId);
        });
    }

    it("starts another update if the earlier one failed", async () => {
        fixture.server.nextOutcome = "failure";
        await killedWhile();
        fixture.clock.pass(60_000);
        fixture.server.nextOutcome = "success";
        assert.equal((await create()).statusId, "du_2");
        assert.match(lines(), /du_1: another run started this job .*, but it failed: the site does not build$/m);
    });

    it("starts another update if the earlier one published another commit than the expected one", async () => {
        const expectedCommit = "2".repeat(40);
        await killedWhile({ ...inputs, expectedCommit });
        fixture.clock.pass(60_000);
        fixture.server.pushed = expectedCommit;
        assert.equal((await create({ ...inputs, expectedCommit })).statusId, "du_2");
        assert.match(lines(), /but it failed: the update published commit 1{40}, but expectedCommit is 2{40}$/m);
    });

    it("is identified by its project, and a failed refresh names the update", async () => {
        const { id } = await fixture.lifecycle.create(inputs);
        assert.equal(id, "docs");
        fixture.server.faults.get = [{ status: 403 }];
        await assert.rejects(fixture.lifecycle.read(id, { ...inputs, pendingJobId: "du_1" }), (error: Error) => {
            assert.equal(String(error), "Documentation update du_1 of project docs could not be refreshed");
            return true;
        });
    });

    it("warns that the earlier update may be in progress if its start had no response", async () => {
        fixture.server.honoursKeys = false;
        fixture.server.faults.start = ["lost"];
        await assert.rejects(create(), /may or may not/);
        fixture.restart();
        assert.equal((await create()).statusId, "du_2");
        assert.match(
            lines(),
            /got no response to its request, so its update may be in progress\. Starting another one\./,
        );
    });
});
