import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ciRun = fileURLToPath(new URL("../../../.ci/run", import.meta.url));

describe(".ci/run", () => {
    let folder: string;

    /** @param longForms - the output of npm run test:all, which runs after npm test with a limit of `minutes` */
    const endOf = (
        summary: string,
        exitCode: number,
        { longForms = "", minutes = 75, earlierSeconds = 0, leftBehindSeconds = 0 } = {},
    ) =>
        new Promise<{ lines: string[]; exitCode: number | null }>((resolve) => {
            const child = execFile(
                path.join(folder, ".ci", "run"),
                {
                    env: {
                        ...process.env,
                        PATH: `${folder}:${process.env["PATH"]}`,
                        SUMMARY: summary,
                        LONG_FORMS: longForms,
                        MINUTES: `${minutes}`,
                        EXIT_CODE: `${exitCode}`,
                        // Bash counts seconds from this value.
                        SECONDS: `${earlierSeconds}`,
                        LEFT_BEHIND: `${leftBehindSeconds}`,
                    },
                },
                (_error, stdout) =>
                    resolve({ lines: stdout.trimEnd().split("\n").slice(-2), exitCode: child.exitCode }),
            );
        });

    beforeEach(async () => {
        folder = await mkdtemp(path.join(tmpdir(), "static-export-ci-"));
        await mkdir(path.join(folder, ".ci"));
        await cp(ciRun, path.join(folder, ".ci", "run"));
        const npm = `#!/bin/sh
sleep $LEFT_BEHIND &
case "$*" in
    "test") printf "$SUMMARY" && exit $EXIT_CODE ;;
    "run test:all -- --minutes=$MINUTES") printf "$LONG_FORMS" ;;
esac
`;
        await writeFile(path.join(folder, "npm"), npm, { mode: 0o755 });
    });
    afterEach(() => rm(folder, { recursive: true }));

    it("ends its output with the number of skips, and then the numbers of passes and failures", async () => {
        const { lines, exitCode } = await endOf("  12 passing (3s)\\n  2 pending\\n", 0);
        assert.deepEqual(lines, ["2 skipped", "12 passed, 0 failed"]);
        assert.equal(exitCode, 0);
    });

    it("runs the longer versions after npm test, and includes them in the counts", async () => {
        const { lines } = await endOf("  12 passing (3s)\\n", 0, { longForms: "  5 passing (1m)\\n  1 pending\\n" });
        assert.deepEqual(lines, ["1 skipped", "17 passed, 0 failed"]);
    });

    it("limits the longer versions to 75 minutes minus the duration of npm test", async () => {
        const options = { longForms: "  5 passing (1m)\n", earlierSeconds: 15 * 60, minutes: 60 };
        const { lines } = await endOf("  12 passing (15m)\n", 0, options);
        assert.deepEqual(lines, ["0 skipped", "17 passed, 0 failed"]);
    });

    it("skips the longer versions if npm test has used all the time", async () => {
        const options = { longForms: "  5 passing\\n", earlierSeconds: 66 * 60 };
        const { lines, exitCode } = await endOf("  12 passing (66m)\\n", 0, options);
        assert.deepEqual(lines, ["0 skipped", "12 passed, 0 failed"]);
        assert.equal(exitCode, 0);
    });

    it("fails if npm test fails, without running the longer versions", async () => {
        const { lines, exitCode } = await endOf("  12 passing (3s)\\n  1 failing\\n", 3, {
            longForms: "  5 passing\\n",
        });
        assert.deepEqual(lines, ["0 skipped", "12 passed, 1 failed"]);
        assert.equal(exitCode, 3);
    });

    it("exits when npm test exits, even if a leftover process holds its output open", async () => {
        const { lines } = await endOf("  12 passing (3s)\\n", 0, { leftBehindSeconds: 15 });
        assert.deepEqual(lines, ["0 skipped", "12 passed, 0 failed"]);
    });
});
