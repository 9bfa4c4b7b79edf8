import assert from "node:assert/strict";
import { PluginFolder } from "../plugin/support/plugin-folder.js";
import { deaths, losses, nextRuns, readGuide } from "./support/guide-table.js";
import { type Accident, LostMachine, type Way, ways } from "./support/lost-machine.js";

const accidents: Accident[] = losses.flatMap((loss) =>
    deaths.flatMap((death) => [true, false].map((honoursKeys) => ({ death, loss, honoursKeys }))),
);

/** One for each way; the whole table takes a quarter of an hour. */
const short: readonly { way: Way; accident: Accident; nextRun: (typeof nextRuns)[number] }[] = [
    {
        way: "the plugin's resource",
        accident: { death: "while the start is answered", loss: "disk and checkpoint", honoursKeys: true },
        nextRun: "the same run again",
    },
    {
        way: "a dynamic resource",
        accident: { death: "while the start is answered", loss: "disk", honoursKeys: false },
        nextRun: "the same run again",
    },
    {
        way: "two resources",
        accident: { death: "during the wait", loss: "disk", honoursKeys: false },
        nextRun: "a laptop",
    },
];

const describePlatform = ({ honoursKeys }: Accident) => (honoursKeys ? "with keys" : "without keys");

describe("A machine that is lost, on the real engine", () => {
    let plugin: PluginFolder;
    let machines: Readonly<Record<Way, LostMachine>>;

    before(async () => {
        plugin = await PluginFolder.create();
        const created = ways.map(async (way) => [way, await LostMachine.of(way, plugin.pathFolders)] as const);
        machines = Object.fromEntries(await Promise.all(created)) as Record<Way, LostMachine>;
    });
    after(async () => {
        await Promise.all(ways.map((way) => machines[way].remove()));
        await plugin.remove();
    });

    if (process.env["LOST_MACHINES"] === "whole") {
        for (const accident of accidents) {
            const { death, loss } = accident;
            it(`is followed by what the guide says: ${death}, with its ${loss}, ${describePlatform(accident)}`, async () => {
                const ends = await Promise.all(ways.map((way) => machines[way].lose(accident, nextRuns)));
                const one = await readGuide(death, loss, { ...accident, hasTwoResources: false });
                const two = await readGuide(death, loss, { ...accident, hasTwoResources: true });
                assert.deepEqual(Object.fromEntries(ways.map((way, index) => [way, ends[index]])), {
                    "a dynamic resource": one,
                    "the plugin's resource": one,
                    "two resources": two,
                });
            });
        }
    } else {
        for (const { way, accident, nextRun } of short) {
            const { death, loss } = accident;
            const what = `${way}, ${death}, with its ${loss}, ${describePlatform(accident)}, then ${nextRun}`;
            it(`is followed by what the guide says: ${what}`, async () => {
                const guide = await readGuide(death, loss, { ...accident, hasTwoResources: way === "two resources" });
                const end = await machines[way].lose(accident, [nextRun]);
                assert.deepEqual(end, [guide[nextRuns.indexOf(nextRun)]]);
            });
        }
    }
});
