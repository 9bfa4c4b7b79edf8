import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { InterruptedError } from "../../../cli/src/command-line/interruption.js";
import { UsageError } from "../../../cli/src/command-line/usage-error.js";
import { completeOptions } from "../../../cli/src/create/ask.js";
import { type CreateOptions } from "../../../cli/src/create/create-options.js";

const plain: CreateOptions = { stack: "dev", install: true, start: true };
const [enter, down] = ["\r", "\u001b[B"];

/** Answers the questions with one list of keys each, as each question appears. */
async function answer(given: Partial<CreateOptions>, ...keys: string[][]) {
    const input = new PassThrough();
    const output = new PassThrough();
    let asked = 0;
    output.on("data", (data: Buffer) => {
        const text = stripVTControlCharacters(data.toString());
        // The sign of an open question is a star on consoles of Windows.
        if (/Ctrl|\?|do you want/.test(text) && /^[◆*] /m.test(text) && asked < keys.length) {
            const next = keys[asked]!;
            asked += 1;
            setImmediate(() => next.forEach((key) => input.write(key)));
        }
    });
    return completeOptions({ ...plain, ...given }, true, { input, output });
}

describe("The questions of static-export create", () => {
    it("lead from the kind to what a Pulumi project needs", async () => {
        const answers = await answer({}, [down, enter], ["d.example.org", enter], [down, enter], [enter]);
        assert.deepEqual(answers, {
            ...plain,
            ...{ kind: "pulumi", domain: "d.example.org", language: "yaml", for: "export" },
        });
    });

    it("are not asked about options that are passed", async () => {
        assert.deepEqual(await answer({ kind: "writer" }), { ...plain, kind: "writer" });
        const given = { kind: "service", domain: "docs.example.com" } as const;
        assert.deepEqual(await answer(given), { ...plain, ...given });
    });

    for (const [name, key] of [
        ["Ctrl-C", "\u0003"],
        ["Ctrl-D", "\u0004"],
    ] as const) {
        it(`end with ${name}`, async () => {
            await assert.rejects(answer({}, [key]), InterruptedError);
            await assert.rejects(answer({ kind: "service" }, [key]), InterruptedError);
        });
    }

    for (const [given, option] of [
        [{}, "--kind writer, --kind pulumi or --kind service"],
        [{ kind: "pulumi" }, "--domain <name>"],
        [{ kind: "service" }, "--domain <name>"],
    ] as const) {
        it(`are replaced by an error that names ${option} without a terminal`, async () => {
            await assert.rejects(completeOptions({ ...plain, ...given }, false), (error: Error) => {
                assert.ok(error instanceof UsageError);
                assert.equal(error.message, `Pass ${option}: without a terminal, create cannot ask for it.`);
                return true;
            });
        });
    }
});
