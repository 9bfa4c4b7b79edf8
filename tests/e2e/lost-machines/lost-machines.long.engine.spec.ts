import assert from "node:assert/strict";
import { PluginFolder } from "../plugin/support/plugin-folder.js";
import { nextRuns, readGuide } from "./support/guide-table.js";
import { type Accident, loseMachine } from "./support/lost-machine.js";

/** One case for each column; tests/provider/static-export-job/ has every cell of the guide's table. */
const accidents: readonly Accident[] = [
    {
        way: "the plugin's resource",
        death: "while the start is answered",
        honoursKeys: true,
        loss: "disk and checkpoint",
        nextRun: "the same run again",
    },
    {
        way: "a dynamic resource",
        death: "while the start is answered",
        honoursKeys: false,
        loss: "disk",
        nextRun: "the same run again",
    },
    {
        way: "two resources",
        death: "during the wait",
        honoursKeys: false,
        loss: "disk",
        nextRun: "a laptop",
    },
];

describe("A lost machine on the real engine", () => {
    let plugin: PluginFolder;

    before(async () => {
        plugin = await PluginFolder.create();
    });
    after(() => plugin.remove());

    for (const accident of accidents) {
        const { way, death, honoursKeys, loss, nextRun } = accident;
        const platform = honoursKeys ? "with keys" : "without keys";
        it(`has the documented consequences: ${way}, ${death}, with its ${loss}, ${platform}, then ${nextRun}`, async () => {
            const guide = await readGuide(death, loss, { honoursKeys, hasTwoResources: way === "two resources" });
            assert.equal(await loseMachine(accident, plugin.pathFolders), guide[nextRuns.indexOf(nextRun)]);
        });
    }
});
