import assert from "node:assert/strict";
import { PluginFolder } from "../plugin/support/plugin-folder.js";
import { isLong } from "../../scale.js";
import { deaths, losses, type Loss, nextRuns, type NextRun, readGuide } from "./support/guide-table.js";
import { type Accident, LostMachine, type Way, ways } from "./support/lost-machine.js";

const accidents: Accident[] = deaths.flatMap((death) => [true, false].map((honoursKeys) => ({ death, honoursKeys })));

/** One case for each column; the whole table takes minutes. */
const short: readonly { way: Way; accident: Accident; loss: Loss; nextRun: NextRun }[] = [
    {
        way: "the plugin's resource",
        accident: { death: "while the start is answered", honoursKeys: true },
        loss: "disk and checkpoint",
        nextRun: "the same run again",
    },
    {
        way: "a dynamic resource",
        accident: { death: "while the start is answered", honoursKeys: false },
        loss: "disk",
        nextRun: "the same run again",
    },
    {
        way: "two resources",
        accident: { death: "during the wait", honoursKeys: false },
        loss: "disk",
        nextRun: "a laptop",
    },
];

const describePlatform = ({ honoursKeys }: Accident) => (honoursKeys ? "with keys" : "without keys");

describe("A lost machine on the real engine", () => {
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

    if (isLong) {
        for (const accident of accidents) {
            const { death } = accident;
            // The two variants of a resource use the same lifecycle, so each accident is tested with only one of them.
            const oneResource =
                accident.honoursKeys === (deaths.indexOf(death) % 2 === 0)
                    ? "a dynamic resource"
                    : "the plugin's resource";
            // Before a start, the losses need separate cases: the run after the first loss would start the job that the
            // run after the second loss finds.
            const together = death === "before the start" ? losses.map((loss) => [loss]) : [losses];
            for (const lost of together) {
                const what = `${death}, with its ${lost.join(" or ")}, ${describePlatform(accident)}`;
                it(`has the documented consequences: ${what}`, async () => {
                    const aftermaths = lost.map((loss) => ({ loss, nextRuns }));
                    const followed = async (way: Way) => {
                        const setup = { ...accident, hasTwoResources: way === "two resources" };
                        const guide = await Promise.all(lost.map((loss) => readGuide(death, loss, setup)));
                        assert.deepEqual(await machines[way].lose(accident, aftermaths), guide, way);
                    };
                    await Promise.all([followed(oneResource), followed("two resources")]);
                });
            }
        }
    } else {
        for (const { way, accident, loss, nextRun } of short) {
            const { death } = accident;
            const what = `${way}, ${death}, with its ${loss}, ${describePlatform(accident)}, then ${nextRun}`;
            it(`has the documented consequences: ${what}`, async () => {
                const guide = await readGuide(death, loss, { ...accident, hasTwoResources: way === "two resources" });
                const ends = await machines[way].lose(accident, [{ loss, nextRuns: [nextRun] }]);
                assert.deepEqual(ends, [[guide[nextRuns.indexOf(nextRun)]]]);
            });
        }
    }
});
