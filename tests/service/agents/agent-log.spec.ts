import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RunLog } from "../../../service/src/agents/agent-log.js";

/** The log of a run, without the times of its notes. */
async function written(
    options: { secrets?: string[]; maxBytes?: number },
    run: (log: RunLog, print: (text: string, isError?: boolean) => void) => void,
): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "agent-log-"));
    try {
        const path = join(folder, "aj_1.log");
        const log = new RunLog(path, { maxBytes: 1000, secrets: [], ...options });
        run(log, (text, isError) => log.addOutput(Buffer.from(text), isError));
        await log.close();
        return (await readFile(path, "utf8")).replace(/\[\d{4}-[^\]]*\]/g, "[time]");
    } finally {
        await rm(folder, { recursive: true });
    }
}

const secrets = ["s3cret-value"];

describe("The log of an agent's run", () => {
    it("never contains a secret in two halves, also if a note or an error is between them", async () => {
        const log = await written({ secrets }, (runLog, print) => {
            print("a s3cret-");
            print("careful: s3cret", true);
            runLog.note("The disk is full.");
            print("value b");
            print("-value\n", true);
        });
        assert.equal(log, "a careful: \n[time] The disk is full.\n*** b***\n");
    });

    it("contains no secret in a note, such as one that quotes a hook", async () => {
        const log = await written({ secrets: [...secrets, "cret-"] }, (runLog) => {
            runLog.note("The hook printed:\ns3cret-\u001b[1mvalue, \u001b]0;s3cret-value\u0007c3Mzcret s3cr");
        });
        assert.equal(log, "[time] The hook printed:\n***, c3Mzcret s3cr\n");
    });

    it("contains colours, but no titles, movements or other control characters", async () => {
        const log = await written({}, (_log, print) =>
            print("\u001b[31mred\u001b[0m\u001b[2K\u001b]0;title\u0007\0!\n"),
        );
        assert.equal(log, "\u001b[31mred\u001b[0m!\n");
    });

    it("contains each note on a separate line, also after output that ends without a line break", async () => {
        const log = await written({}, (runLog, print) => {
            print("Working");
            runLog.endOutput();
            runLog.note("The agent was ended.");
        });
        assert.equal(log, "Working\n[time] The agent was ended.\n");
    });

    it("contains an output that is a little longer than its limit in two parts, with all notes", async () => {
        const log = await written({ secrets, maxBytes: 10 }, (runLog, print) => {
            print("12345678s3cret-value90");
            print("more");
            runLog.note("The disk is full.");
        });
        const middle = "[the output is too long: its end follows when the agent has ended]\n[time] The disk is full.\n";
        assert.equal(log, `12345678**\n${middle}[the end of the output]\n*90more`);
    });

    it("contains the last lines of a much longer output, because the reason of a failure is there", async () => {
        const log = await written({ maxBytes: 10 }, (runLog, print) => {
            for (let line = 0; line < 20_000; line++) {
                print(`line ${line}\n`);
            }
            print("the reason\n");
            runLog.endOutput();
            runLog.note("The agent failed.");
        });
        const [, missing, first] = /\[(\d+) bytes are left out before this\]\nline (\d+)\n/.exec(log) ?? [];
        assert.ok(Number(missing) > 150_000, log.slice(0, 200));
        assert.ok(Number(first) < 19_000 && log.length < 17_000);
        assert.match(log, /\nline 19999\nthe reason\n\[time\] The agent failed\.\n$/);
    });
});
